/**
 * The results of independent statements that were sent together. When one fails, those after it fail because of it: the
 * first error is the true one.
 */
export async function together<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [Place in keyof Sent]: Awaited<Sent[Place]> }> {
  const ended = await Promise.allSettled(sent)
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return Promise.all(sent)
}
