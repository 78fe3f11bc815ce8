import type { UntypedRequest } from '@tendon/sdk'

/**
 * The writes of one hook. An identical call is not sent again before the answer, as in a double click. The idempotency key of
 * each thing, such as a row, is kept until its write succeeds: pressing "save" again after a lost answer is safe.
 */
export function createWrites() {
  const sending = new Set<string>()
  const keys = new Map<string, { body: string; value: string }>()
  return {
    /** False while the same call is on its way. */
    start(call: UntypedRequest): boolean {
      const name = JSON.stringify(call)
      if (sending.has(name)) return false
      sending.add(name)
      return true
    },
    keyOf(call: UntypedRequest): string {
      const body = bodyOf(call)
      const kept = keys.get(thingOf(call))
      if (kept?.body === body) return kept.value
      const value = crypto.randomUUID()
      keys.set(thingOf(call), { body, value })
      return value
    },
    fail(call: UntypedRequest): void {
      sending.delete(JSON.stringify(call))
    },
    succeed(call: UntypedRequest): void {
      sending.delete(JSON.stringify(call))
      if (keys.get(thingOf(call))?.body === bodyOf(call)) keys.delete(thingOf(call))
    },
  }
}

const thingOf = ({ params, query }: UntypedRequest) => JSON.stringify([params, query])
const bodyOf = ({ body }: UntypedRequest) => JSON.stringify([body])
