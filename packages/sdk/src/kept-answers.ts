/** Characters of all answers together. */
const MAX_KEPT = 4_000_000

/** The ETag of a versioned row is a number, weak in a compressed answer: the content may change without it. */
export const isOfContent = (etag: string): boolean => etag.startsWith('W/') && !/^W\/"\d+"$/.test(etag)

interface KeptAnswer {
  /** Weak: of the content. */
  etag: string
  text: string
  headers: Headers
}

interface KeptAnswers {
  get: (key: string) => KeptAnswer | undefined
  keep: (key: string, answer: KeptAnswer) => void
}

/**
 * The last answers that have an ETag of their content, so that the API need not send them again while they are the same. They
 * are only in memory. The API compares the content of this caller's answer: one that was for somebody else is never shown.
 */
export function keptAnswers(): KeptAnswers {
  const kept = new Map<string, KeptAnswer>()
  let size = 0
  function forget(key: string): void {
    size -= kept.get(key)?.text.length ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const answer = kept.get(key)
      if (answer === undefined) return undefined
      // Moves the answer to the end: the least recently used come first.
      kept.delete(key)
      kept.set(key, answer)
      return answer
    },
    keep(key, answer) {
      forget(key)
      if (answer.text.length > MAX_KEPT) return
      kept.set(key, answer)
      size += answer.text.length
      for (const oldest of kept.keys()) {
        if (size <= MAX_KEPT) break
        forget(oldest)
      }
    },
  }
}
