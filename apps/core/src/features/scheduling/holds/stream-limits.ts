const MAX_PER_HOLD = 3

/** Counts open streams of this process. `open` gives a function that ends one, or undefined when there are too many. */
export function createStreamLimits({ perClient, perProcess }: { perClient: number; perProcess: number }) {
  const byHold = new Map<string, number>()
  const byClient = new Map<string, number>()
  let total = 0
  const add = (counts: Map<string, number>, key: string, by: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  return {
    open(holdId: string, client: string): (() => void) | undefined {
      const isFull =
        total >= perProcess || (byHold.get(holdId) ?? 0) >= MAX_PER_HOLD || (byClient.get(client) ?? 0) >= perClient
      if (isFull) return undefined
      total++
      add(byHold, holdId, 1)
      add(byClient, client, 1)
      return () => {
        total--
        add(byHold, holdId, -1)
        add(byClient, client, -1)
      }
    },
  }
}
