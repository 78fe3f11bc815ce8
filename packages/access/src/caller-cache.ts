import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Listener, onRightsChange } from '@tendon/db'
import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'

/** More than a process answers in a second. Each change looks through all of them. */
const MAX_CALLERS = 2_000
/** Changing a role that every clinic has a copy of names every copy: beyond this limit, all callers are dropped. */
const MAX_SEARCHES_PER_TURN = 50

/** What a look-up found. */
export interface Found {
  caller: Caller
  /** When the look-up would find something else without any change, as a session ends. */
  endsInMs?: number
}

export interface CallerCache {
  /** The caller that is kept for a look-up, or what the look-up finds. `key` is everything that it depends on, for callers who may be kept. */
  find(key: string, lookUp: () => Promise<Found | undefined>): Promise<Caller | undefined>
  close(): void
}

interface CallerCacheOptions {
  /** Not longer than this, even where no change is noticed. 0: nothing is kept. */
  maxAgeMs: number
  /** Tells what other processes changed. While it does not listen, nothing is kept. */
  notices: Listener
}

/** Looks up every time. */
export const KEEPS_NOTHING: CallerCache = {
  find: async (_key, lookUp) => (await lookUp())?.caller,
  close() {},
}

/**
 * Keeps for a moment who called, with their rights. A change of anything that find_caller reads ends that at once
 * (database/functions/rights_changes.sql): this process learns of its own changes before their COMMIT returns, and of those
 * of others by a notice. Docs: docs/decisions/0040-rights-are-kept-for-a-second.md.
 */
export function createCallerCache({ maxAgeMs, notices }: CallerCacheOptions): CallerCache {
  if (maxAgeMs === 0) return KEEPS_NOTHING
  const kept = new LRUCache<string, Caller>({ max: MAX_CALLERS, ttl: maxAgeMs, ttlResolution: 0 })
  /** What was looked up before a change is not kept after it. */
  let changes = 0

  let searches = 0

  function forget(id: string | null): void {
    changes += 1
    if (searches === 0) setImmediate(() => void (searches = 0))
    searches += 1
    if (id === null || searches > MAX_SEARCHES_PER_TURN) {
      kept.clear()
      return
    }
    const gone = [...kept.entries()].filter(([, caller]) => dependsOn(caller, id))
    for (const [key] of gone) kept.delete(key)
  }

  function keep(key: string, { caller, endsInMs = maxAgeMs }: Found, start: number): void {
    const ttl = Math.floor(Math.min(maxAgeMs, endsInMs))
    if (ttl < 1 || !mayBeKept(caller)) return
    Object.freeze(caller.profile_ids)
    kept.set(key, Object.freeze(caller), { ttl, start })
  }

  const unsubscribe = onRightsChange(forget)
  // The connection is opened for the first request: a server that is only described needs none.
  let stopListening: (() => void) | undefined

  return {
    async find(key, lookUp) {
      stopListening ??= notices.subscribe(forget)
      if (kept.has(key)) {
        // A notice that has arrived counts.
        await nextTurn()
        const caller = notices.isListening ? kept.get(key) : undefined
        if (caller) return caller
      }
      const [before, start] = [changes, performance.now()]
      const found = await lookUp()
      if (found && notices.isListening && changes === before) keep(key, found, start)
      return found?.caller
    },
    close() {
      unsubscribe()
      stopListening?.()
      kept.clear()
    },
  }
}

/** Callers with more rights than others, or with those of others, are looked up every time. */
const mayBeKept = (caller: Caller) =>
  caller.kind === 'human' &&
  !caller.is_superadmin &&
  caller.break_glass_id === null &&
  caller.impersonator_id === null &&
  caller.joined !== false

const dependsOn = ({ principal_id, organization_id, role_id, web_session }: Caller, id: string) =>
  principal_id === id || organization_id === id || role_id === id || web_session?.id === id
