import { setTimeout as sleep } from 'node:timers/promises'
import { systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import type { Round, WorkerLoop } from '../../../platform/worker-loop.ts'
import type { Services } from '../../../services.ts'
import { stateAfterMail } from '../../scheduling/reminders/index.ts'
import { type LeasedMail, leaseMails, listMailBranding, listSuppressions, markMail, type Outcome } from './queries.ts'
import { addressIndex, attemptMail } from './sending.ts'

// A mail is sent at least once: it is taken under a lease, sent outside any transaction, and marked. A worker that dies
// between sending and marking leaves it to the next one, which sends it again with the same Message-ID.

const MAX_LEASE_MAILS = 20
const MAX_IN_FLIGHT = 64
/** In flight at one time. A clinic whose mail server does not answer delays no other. */
const MAX_PER_CLINIC = 8
const IDLE_MS = 1_000
/** Mails that end soon after another are marked by one transaction, which also leases the next ones. */
const GATHER_MS = 50
const GATHER_MAILS = 8
const PLATFORM = systemContext(null)

export const mailLoop: WorkerLoop = {
  name: 'mail',
  idleMs: IDLE_MS,
  start: (services, log) =>
    createMailRound(services, ({ id, error, cause }) => log.warn({ err: cause, mail: id, error }, 'mail was not sent')),
}

interface Failure {
  id: string
  error: string | undefined
  cause: unknown
}

interface MailRound extends Round {
  (): Promise<{ taken: number; more: boolean }>
  drain(): Promise<void>
}

/** A round marks mails that ended, starts due ones, and returns when some ended; slow ones stay in flight. */
export function createMailRound(services: Services, onFailure: (failure: Failure) => void = () => {}): MailRound {
  const { db, config, now } = services
  const inFlight = new Map<Promise<void>, LeasedMail>()
  let ended: Outcome[] = []

  async function send(mail: LeasedMail, listed: ReadonlyMap<string, string>): Promise<void> {
    const reason = listed.get(addressIndex(config, mail.to_address).toString('hex'))
    const { cause, ...outcome } = await attemptMail(services, mail, reason)
    ended.push(outcome)
    if (cause !== undefined) onFailure({ id: mail.id, error: outcome.error, cause })
  }

  /** Runs one transaction that marks what has ended. When it fails, the next round marks it: it is not sent again. */
  async function markEndedAnd<Result>(work: (tx: TenantTx) => Promise<Result>): Promise<Result> {
    const outcomes = ended
    ended = []
    try {
      return await db.tenant(PLATFORM, async (tx) => {
        await Promise.all(outcomes.map((outcome) => markMail(tx, outcome, stateAfterMail(outcome))))
        return work(tx)
      })
    } catch (error) {
      ended = [...outcomes, ...ended]
      throw error
    }
  }

  function markAndLease(room: number) {
    return markEndedAnd(async (tx) => {
      const clinicsInFlight = [...inFlight.values()].flatMap(({ organization_id }) => organization_id ?? [])
      const limits = { room, perClinic: MAX_PER_CLINIC, clinicsInFlight }
      const leased = await leaseMails(tx, limits, now())
      const clinics = leased.flatMap(({ organization_id }) => organization_id ?? [])
      const branding = clinics.length === 0 ? undefined : await listMailBranding(tx, clinics)
      const mails = leased.map((mail) => ({ ...mail, branding: branding?.get(mail.organization_id ?? '') }))
      const indexes = mails.map((mail) => addressIndex(config, mail.to_address))
      return { mails, listed: mails.length === 0 ? new Map<string, string>() : await listSuppressions(tx, indexes) }
    })
  }

  async function round(): Promise<{ taken: number; more: boolean }> {
    const room = Math.min(MAX_LEASE_MAILS, MAX_IN_FLIGHT - inFlight.size)
    const { mails, listed } = await markAndLease(room)
    for (const mail of mails) {
      const sent = send(mail, listed).finally(() => inFlight.delete(sent))
      inFlight.set(sent, mail)
    }
    if (inFlight.size === 0) return { taken: 0, more: ended.length > 0 }
    await untilSomeEnd()
    return { taken: mails.length, more: true }
  }

  async function untilSomeEnd(): Promise<void> {
    await oneEndsWithin(IDLE_MS)
    const start = performance.now()
    const left = () => GATHER_MS - (performance.now() - start)
    while (ended.length < GATHER_MAILS && inFlight.size > 0 && left() > 0) await oneEndsWithin(left())
  }

  async function oneEndsWithin(ms: number): Promise<void> {
    const stopWaiting = new AbortController()
    const waited = sleep(ms, undefined, { signal: stopWaiting.signal }).catch(() => {})
    await Promise.race([...inFlight.keys(), waited])
    stopWaiting.abort()
  }

  return Object.assign(round, {
    async drain() {
      await Promise.all(inFlight.keys())
      if (ended.length > 0) await markEndedAnd(async () => {})
    },
  })
}

/** Sends one batch of mails that are due, and waits for all of them. */
export async function sendDueMails(services: Services): Promise<{ taken: number; more: boolean }> {
  const round = createMailRound(services)
  const { taken } = await round()
  await round.drain()
  return { taken, more: taken === MAX_LEASE_MAILS }
}
