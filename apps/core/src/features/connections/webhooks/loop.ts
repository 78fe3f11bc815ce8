import { setTimeout as sleep } from 'node:timers/promises'
import { systemContext } from '@tendon/access'
import type { WorkerLoop } from '../../../platform/worker-loop.ts'
import type { Services } from '../../../services.ts'
import { LEASE_SECONDS, type LeasedDelivery, markAndLease, markAttempts, type Outcome } from './delivery-queries.ts'
import { disableGone } from './disabling.ts'
import { attemptDelivery, type Sender } from './sending.ts'
import { createSigningKeys } from './signatures.ts'

// A delivery is sent at least once: it is leased, sent outside any transaction, and marked. When a worker dies between
// sending and marking, another worker sends the same bytes with the same id after the lease has expired.

const MAX_IN_FLIGHT = 64
const IDLE_MS = 500
/** Attempts that end within this time are marked by one statement. */
const GATHER_MS = 3
const PLATFORM = systemContext(null)

export const webhookLoop: WorkerLoop = {
  name: 'webhooks',
  idleMs: IDLE_MS,
  start: (services, log) =>
    createDeliveryRound(services, (delivery, error) =>
      log.info({ delivery: delivery.id, webhook: delivery.subscription_id, error }, 'webhook was not delivered'),
    ),
}

interface DeliveryRound {
  (): Promise<{ more: boolean }>
  /** Waits for the attempts in progress and marks them. */
  drain(): Promise<void>
}

type DeliveryServices = Pick<Services, 'db' | 'box'> & Omit<Sender, 'openKeys'>

/** A round marks finished attempts, starts due ones, and returns when an attempt finishes. Slow attempts continue. */
export function createDeliveryRound(
  services: DeliveryServices,
  onFailure: (delivery: LeasedDelivery, error: string) => void = () => {},
): DeliveryRound {
  const { db, box, now } = services
  const sender = { ...services, openKeys: createSigningKeys(box) }
  const inFlight = new Set<Promise<void>>()
  let ended: { delivery: LeasedDelivery; outcome: Outcome }[] = []
  let wake = () => {}

  async function send(delivery: LeasedDelivery): Promise<void> {
    const outcome = await attemptDelivery(sender, delivery)
    ended.push({ delivery, outcome })
    if (outcome.error !== null) onFailure(delivery, outcome.error)
  }

  function start(delivery: LeasedDelivery): void {
    const sent = send(delivery).finally(() => {
      inFlight.delete(sent)
      wake()
    })
    inFlight.add(sent)
  }

  function takeGone() {
    const index = ended.findIndex(({ outcome }) => outcome.error === 'gone')
    return index < 0 ? undefined : ended.splice(index, 1)[0]
  }

  /**
   * Disables the endpoints that answered 410, and marks the other finished attempts. When `mark` fails, the next round marks
   * them, until their leases end: without a mark an event that was delivered would be sent again.
   */
  async function markEnded<Result>(mark: (outcomes: Outcome[]) => Promise<Result>): Promise<Result> {
    for (let gone = takeGone(); gone; gone = takeGone()) await disableGone(services, gone.delivery, gone.outcome)
    const taken = ended
    ended = []
    try {
      return await mark(taken.map(({ outcome }) => outcome))
    } catch (error) {
      const leasedSince = now().getTime() - LEASE_SECONDS * 1_000
      ended = [...taken.filter(({ outcome }) => Date.parse(outcome.requested_at) > leasedSince), ...ended]
      throw error
    }
  }

  async function markAndLeaseNext(outcomes: Outcome[]): Promise<LeasedDelivery[]> {
    const room = MAX_IN_FLIGHT - inFlight.size
    if (outcomes.length === 0 && room === 0) return []
    return db.tenant(PLATFORM, (tx) => markAndLease(tx, outcomes, room, now()), { queries: 1 })
  }

  async function markOnly(outcomes: Outcome[]): Promise<void> {
    if (outcomes.length > 0) await db.tenant(PLATFORM, (tx) => markAttempts(tx, outcomes), { queries: 1 })
  }

  async function round(): Promise<{ more: boolean }> {
    const leased = await markEnded(markAndLeaseNext)
    for (const delivery of leased) start(delivery)
    if (inFlight.size === 0) return { more: ended.length > 0 }
    if (ended.length === 0) await untilOneEnds()
    await sleep(GATHER_MS)
    return { more: true }
  }

  async function untilOneEnds(): Promise<void> {
    const stopWaiting = new AbortController()
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await Promise.race([promise, sleep(IDLE_MS, undefined, { signal: stopWaiting.signal }).catch(() => {})])
    stopWaiting.abort()
  }

  return Object.assign(round, {
    async drain() {
      await Promise.all(inFlight)
      await markEnded(markOnly)
    },
  })
}
