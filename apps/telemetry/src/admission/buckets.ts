interface Bucket {
  rate: Rate
  tokens: number
  /** Tokens left in the allowance. */
  saved: number
  at: number
  /** Requests that have entered and not left. */
  inProgress: number
}

export interface Rate {
  perSecond: number
  burst: number
}

interface BucketsOptions extends Rate {
  /** A second limit, over a longer time. */
  allowance?: Rate
  /** Requests of one key that may be in progress at once. */
  maxInProgress?: number
  max?: number
}

const UNLIMITED: Rate = { perSecond: 0, burst: Number.POSITIVE_INFINITY }

/** Token buckets by key. Each operation makes one look-up, because Map look-ups dominate the cost. */
export class Buckets {
  readonly #rate: Rate
  readonly #allowance: Rate
  readonly #maxInProgress: number
  readonly #max: number
  readonly #buckets = new Map<string, Bucket>()

  /** Beyond `max` keys the oldest is evicted; its bucket is full again. */
  constructor({
    allowance = UNLIMITED,
    maxInProgress = Number.POSITIVE_INFINITY,
    max = 100_000,
    ...rate
  }: BucketsOptions) {
    this.#rate = rate
    this.#allowance = allowance
    this.#maxInProgress = maxInProgress
    this.#max = max
  }

  /** `rate` replaces the rate of all keys for this one. */
  has(key: string, now: number, rate = this.#rate): boolean {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.rate = rate
    return !bucket || this.#leftIn(bucket, now) !== undefined
  }

  /** Takes a token; returns false when there is none. */
  take(key: string, now: number, rate = this.#rate): boolean {
    const bucket = this.#buckets.get(key) ?? this.#begin(key, now, rate)
    bucket.rate = rate
    const left = this.#leftIn(bucket, now)
    if (!left) return false
    bucket.tokens = left.tokens - 1
    bucket.saved = left.saved - 1
    bucket.at = now
    return true
  }

  /** Returns an unused token. */
  refund(key: string): void {
    const bucket = this.#buckets.get(key)
    if (!bucket) return
    bucket.tokens = Math.min(bucket.rate.burst, bucket.tokens + 1)
    bucket.saved = Math.min(this.#allowance.burst, bucket.saved + 1)
  }

  /**
   * Counted here and not in a Map of its own: a Map that is emptied and filled thousands of times a second leaks its
   * old tables until the next full collection.
   */
  enter(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.inProgress += 1
  }

  leave(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket && bucket.inProgress > 0) bucket.inProgress -= 1
  }

  get size(): number {
    return this.#buckets.size
  }

  #begin(key: string, now: number, rate: Rate): Bucket {
    const bucket = { rate, tokens: rate.burst, saved: this.#allowance.burst, at: now, inProgress: 0 }
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > this.#max) {
      const [oldest = key] = this.#buckets.keys()
      this.#buckets.delete(oldest)
    }
    return bucket
  }

  /** Returns undefined when there is no token. */
  #leftIn(bucket: Bucket, now: number): { tokens: number; saved: number } | undefined {
    if (now < bucket.at) bucket.at = now // the clock went backwards
    const ms = now - bucket.at
    const tokens = filled(bucket.tokens, ms, bucket.rate)
    const saved = filled(bucket.saved, ms, this.#allowance)
    return tokens >= 1 && saved >= 1 && bucket.inProgress < this.#maxInProgress ? { tokens, saved } : undefined
  }
}

const filled = (tokens: number, ms: number, { perSecond, burst }: Rate): number =>
  Math.min(burst, tokens + (ms / 1000) * perSecond)
