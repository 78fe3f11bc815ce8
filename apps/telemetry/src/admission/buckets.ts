interface Bucket {
  tokens: number
  /** Of the allowance. */
  saved: number
  at: number
  /** So many have entered and not left. */
  inside: number
}

interface Rate {
  perSecond: number
  burst: number
}

export interface BucketsOptions extends Rate {
  /** A second measure, for what a key may take over a longer time. */
  allowance?: Rate
  /** So many of a key may be inside at once. */
  insideMax?: number
  max?: number
}

const UNLIMITED: Rate = { perSecond: 0, burst: Number.POSITIVE_INFINITY }

/** A bucket of tokens for each key: so many a second, and so many at once. One look-up each time: keys are found slowly. */
export class Buckets {
  readonly #rate: Rate
  readonly #allowance: Rate
  readonly #insideMax: number
  readonly #max: number
  readonly #buckets = new Map<string, Bucket>()

  /** Of more than `max` keys, the oldest is forgotten: its bucket is full again. */
  constructor({ allowance = UNLIMITED, insideMax = Number.POSITIVE_INFINITY, max = 100_000, ...rate }: BucketsOptions) {
    this.#rate = rate
    this.#allowance = allowance
    this.#insideMax = insideMax
    this.#max = max
  }

  has(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key)
    return !bucket || this.#leftIn(bucket, now) !== undefined
  }

  /** Takes a token, or says that there is none. */
  take(key: string, now: number): boolean {
    const bucket = this.#buckets.get(key) ?? this.#begin(key, now)
    const left = this.#leftIn(bucket, now)
    if (!left) return false
    bucket.tokens = left.tokens - 1
    bucket.saved = left.saved - 1
    bucket.at = now
    return true
  }

  /** A token that was taken and not used. */
  give(key: string): void {
    const bucket = this.#buckets.get(key)
    if (!bucket) return
    bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + 1)
    bucket.saved = Math.min(this.#allowance.burst, bucket.saved + 1)
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
    const bucket = { tokens: this.#rate.burst, saved: this.#allowance.burst, at: now, inside: 0 }
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > this.#max) {
      const [oldest = key] = this.#buckets.keys()
      this.#buckets.delete(oldest)
    }
    return bucket
  }

  /** Undefined when there is no token. */
  #leftIn(bucket: Bucket, now: number): { tokens: number; saved: number } | undefined {
    if (now < bucket.at) bucket.at = now // the clock was set back
    const ms = now - bucket.at
    const tokens = filled(bucket.tokens, ms, this.#rate)
    const saved = filled(bucket.saved, ms, this.#allowance)
    return tokens >= 1 && saved >= 1 && bucket.inside < this.#insideMax ? { tokens, saved } : undefined
  }
}

const filled = (tokens: number, ms: number, { perSecond, burst }: Rate): number =>
  Math.min(burst, tokens + (ms / 1000) * perSecond)
