import { systemContext } from '@tendon/access'
import type { WorkerLoop } from '../../../platform/worker-loop.ts'
import type { Services } from '../../../services.ts'
import { leaseMails, listMailBranding, listSuppressions, markMail } from './queries.ts'
import { addressIndex, attemptMail } from './sending.ts'

// A mail is sent at least once: it is taken under a lease, sent outside any transaction, and marked. A worker that dies
// between sending and marking leaves it to the next one, which sends it again with the same Message-ID.

const MAX_LEASE_MAILS = 20
const IDLE_MS = 1_000
const PLATFORM = systemContext(null)

export const mailLoop: WorkerLoop = {
  name: 'mail',
  idleMs: IDLE_MS,
  start: (services, log) => () =>
    sendDueMails(services, ({ id, error, cause }) => log.warn({ err: cause, mail: id, error }, 'mail was not sent')),
}

interface Failure {
  id: string
  error: string | undefined
  cause: unknown
}

/** Sends one batch of mails that are due. */
export async function sendDueMails(
  services: Services,
  onFailure: (failure: Failure) => void = () => {},
): Promise<{ taken: number; more: boolean }> {
  const { db, config, now } = services
  const { mails, listed } = await db.tenant(PLATFORM, async (tx) => {
    const leased = await leaseMails(tx, MAX_LEASE_MAILS, now())
    const clinics = leased.flatMap(({ organization_id }) => organization_id ?? [])
    const branding = clinics.length === 0 ? undefined : await listMailBranding(tx, clinics)
    const mails = leased.map((mail) => ({ ...mail, branding: branding?.get(mail.organization_id ?? '') }))
    const indexes = mails.map((mail) => addressIndex(config, mail.to_address))
    return { mails, listed: mails.length === 0 ? new Map<string, string>() : await listSuppressions(tx, indexes) }
  })
  await Promise.all(
    mails.map(async (mail) => {
      const reason = listed.get(addressIndex(config, mail.to_address).toString('hex'))
      const outcome = await attemptMail(services, mail, reason)
      await db.tenant(PLATFORM, (tx) => markMail(tx, outcome), { single: true })
      if (outcome.cause !== undefined) onFailure({ id: mail.id, error: outcome.error, cause: outcome.cause })
    }),
  )
  return { taken: mails.length, more: mails.length === MAX_LEASE_MAILS }
}
