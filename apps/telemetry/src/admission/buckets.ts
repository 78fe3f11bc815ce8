/** A bucket of tokens for each key: so many a second, and so many at once. */
export class Buckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #max: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  /** Of more than `max` keys, the one unused for longest is forgotten: its bucket is full again. */
  constructor({ perSecond, burst, max = 100_000 }: { perSecond: number; burst: number; max?: number }) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#max = max
  }

  has(key: string, now: number): boolean {
    return this.#left(key, now) >= 1
  }

  /** Takes a token, or says that there is none. */
  take(key: string, now: number): boolean {
    const left = this.#left(key, now)
    if (left < 1) return false
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: left - 1, at: now })
    if (this.#buckets.size > this.#max) {
      const [oldest = key] = this.#buckets.keys()
      this.#buckets.delete(oldest)
    }
    return true
  }

  get size(): number {
    return this.#buckets.size
  }

  #left(key: string, now: number): number {
    const bucket = this.#buckets.get(key)
    if (!bucket) return this.#burst
    return Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
  }
}
