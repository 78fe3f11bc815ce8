// The ids of the last list shown, so that J and K open the next and previous record. Only in memory, never in storage.
let walked: readonly string[] = []

export function rememberList(ids: readonly string[]): void {
  walked = ids
}

export function neighboursOf(id: string): { next?: string; previous?: string } {
  const place = walked.indexOf(id)
  if (place === -1) return {}
  const [previous, next] = [walked[place - 1], walked[place + 1]]
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) }
}
