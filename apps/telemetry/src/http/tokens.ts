import { type RunTokenKeys, verifyRunToken } from '@tendon/run-token'
import { LRUCache } from 'lru-cache'
import { type RunIdentity, runIdentity } from '../runs/recording.ts'

const MAX_CACHED_TOKENS = 20_000

export interface Bearer {
  identity: RunIdentity
  pose: boolean
  expiresAt: number
}

/** Verifies run tokens and caches valid ones until they expire. Invalid tokens are not cached. */
export function createTokens(keys: RunTokenKeys, now: () => number) {
  const cached = new LRUCache<string, Bearer>({ max: MAX_CACHED_TOKENS })

  return function bearerOf(authorization: string | undefined): Bearer | undefined {
    if (authorization === undefined) return undefined
    const known = cached.get(authorization)
    if (known) {
      if (known.expiresAt > now()) return known
      cached.delete(authorization)
      return undefined
    }
    if (!/^bearer /i.test(authorization)) return undefined
    const run = verifyRunToken(keys, authorization.slice('Bearer '.length), new Date(now()))
    if (!run) return undefined
    const { runId, organizationId, pose, expiresAt } = run
    const bearer = { identity: runIdentity(runId, organizationId), pose, expiresAt }
    cached.set(authorization, bearer)
    return bearer
  }
}

export type Tokens = ReturnType<typeof createTokens>
