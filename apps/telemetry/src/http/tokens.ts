import { type RunTokenKeys, verifyRunToken } from '@tendon/run-token'
import { type RunIdentity, runIdentity } from '../runs/recording.ts'

const MAX_CACHED_TOKENS = 20_000

export interface Bearer {
  identity: RunIdentity
  pose: boolean
  expiresAt: number
}

/** Verifies run tokens and caches valid ones until they expire. Invalid tokens are not cached. */
export function createTokens(keys: RunTokenKeys, now: () => number) {
  const remembered = new Map<string, Bearer>()

  return function bearerOf(authorization: string | undefined): Bearer | undefined {
    if (authorization === undefined) return undefined
    const known = remembered.get(authorization)
    if (known) {
      if (known.expiresAt > now()) return known
      remembered.delete(authorization)
      return undefined
    }
    if (!/^bearer /i.test(authorization)) return undefined
    const run = verifyRunToken(keys, authorization.slice('Bearer '.length), new Date(now()))
    if (!run) return undefined
    const { runId, organizationId, pose, expiresAt } = run
    const bearer = { identity: runIdentity(runId, organizationId), pose, expiresAt }
    remembered.set(authorization, bearer)
    if (remembered.size > MAX_CACHED_TOKENS) {
      const [oldest = authorization] = remembered.keys()
      remembered.delete(oldest)
    }
    return bearer
  }
}

export type Tokens = ReturnType<typeof createTokens>
