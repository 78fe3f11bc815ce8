interface Bucket {
  tokens: number
  at: number
  /** So many have entered and not left. */
  inside: number
}

/** A bucket of tokens for each key: so many a second, and so many at once. */
export class Buckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #max: number
  readonly #buckets = new Map<string, Bucket>()

  /** Of more than `max` keys, the oldest is forgotten: its bucket is full again. */
  constructor({ perSecond, burst, max = 100_000 }: { perSecond: number; burst: number; max?: number }) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#max = max
  }

  has(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key)
    return !bucket || this.#leftIn(bucket, now) >= 1
  }

  /** Takes a token, or says that there is none. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? this.#begin(key, now)
    const left = this.#leftIn(bucket, now)
    if (left < 1) return false
    bucket.tokens = left - 1
    bucket.at = now
    return true
  }

  /** A token that was taken and not used. */
  give(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.tokens = Math.min(this.#burst, bucket.tokens + 1)
  }

  insideOf(key: string): number {
    return this.#buckets.get(key)?.inside ?? 0
  }

  /** Counted here, not in a Map of its own: one that is emptied and filled thousands of times a second leaves its tables behind. */
  enter(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.inside += 1
  }

  leave(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket && bucket.inside > 0) bucket.inside -= 1
  }

  get size(): number {
    return this.#buckets.size
  }

  #begin(key: string, now: number): Bucket {
    const bucket = { tokens: this.#burst, at: now, inside: 0 }
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > this.#max) {
      const [oldest = key] = this.#buckets.keys()
      this.#buckets.delete(oldest)
    }
    return bucket
  }

  #leftIn(bucket: Bucket, now: number): number {
    if (now < bucket.at) bucket.at = now // the clock was set back
    return Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
  }
}
