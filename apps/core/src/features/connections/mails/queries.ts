import type { Appointment, AppointmentReminder, List, Mail, ReminderReason } from '@tendon/contracts'
import { asService, CLINIC, type PlatformTx, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { RESENDABLE } from './rules.ts'

/** What a mail says, and to whom. */
export interface StoredContent {
  id: string
  organization_id: string | null
  to_address: string
  template: string
  language: string
  data: Record<string, unknown>
  kind: string
  attempts: number
  created_at: string
  organization_name: string | null
  organization_slug: string | null
  contact_email: string | null
  time_zone: string | null
  branding?: StoredMailBranding | undefined
}

/** A mail with what decides whether and how it is sent. */
export interface LeasedMail extends StoredContent {
  restricted: boolean
  consented: boolean
  is_reminder: boolean
  /** Of a reminder: the appointment as it is now; null when it was deleted, and for other mails. */
  visit: (Pick<Appointment, 'starts_at' | 'status' | 'rescheduled_to_id'> & { reminded_starts_at: string }) | null
  integration_id: string | null
  integration_version: number | null
  integration_status: string | null
}

/** Only clinics that have a colour or a logo have this. */
interface StoredMailBranding {
  organization_id: string
  brand_color: string | null
  logo_id: string | null
}

export async function listMailBranding(tx: TenantTx, ids: readonly string[]): Promise<Map<string, StoredMailBranding>> {
  const { rows } = await sql<StoredMailBranding>`select * from list_mail_branding(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.organization_id, row]))
}

type MailStatus = Mail['status']

export interface Outcome {
  id: string
  attempt: number
  status: MailStatus
  provider?: string
  providerMessageId?: string | null
  error?: string
  /** Of a reminder: why it is not right any more. */
  obstacle?: ReminderReason
  /** When it was sent, or when it is tried again. */
  at: Date
}

const LEASE = '60 seconds'

const COLUMNS = [
  'id',
  'template',
  'kind',
  'language',
  'status',
  'to_address',
  'attempts',
  'provider',
  'last_error',
  'created_at',
  'sent_at',
  'next_attempt_at',
] as const

export async function listMails(tx: TenantTx, list: List) {
  return readPage(tx.selectFrom('mail_outbox').select(COLUMNS), list)
}

export type StoredMail = Omit<Mail, 'to_masked'> & { to_address: string }

export async function findMail(tx: TenantTx, id: string): Promise<StoredMail | undefined> {
  return tx.selectFrom('mail_outbox').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

interface LeaseLimits {
  room: number
  perClinic: number
  /** The clinic of each mail in flight: once for each mail. */
  clinicsInFlight: readonly string[]
}

/** Takes mails that are due, and keeps other workers from them. */
export async function leaseMails(
  tx: TenantTx,
  { room, perClinic, clinicsInFlight }: LeaseLimits,
  now: Date,
): Promise<LeasedMail[]> {
  const { rows } = await sql<{ id: string }>`
    select lease_mails(${room}, ${perClinic}, ${[...clinicsInFlight]}::uuid[], ${now.toISOString()}, ${LEASE}::interval) as id`.execute(
    tx,
  )
  return readLeasedMails(tx, rows)
}

/** What the route that sends a mail again declares. */
export const RESENDS = {
  codes: ['mails.manage', 'mails.view_org'],
  why: 'Claims the mail: only the service of a clinic changes what becomes of its mails.',
}

/** Takes one mail of the organization to send it at once; undefined when it cannot be sent again. Of rivals one gets it. */
export async function claimMail(tx: TenantTx, id: string, now: Date): Promise<LeasedMail | undefined> {
  const claimed = await asService(tx, RESENDS.codes, (own) =>
    own
      .updateTable('mail_outbox')
      .set({
        status: 'sending',
        attempts: sql`attempts + 1`,
        locked_until: sql`${now.toISOString()}::timestamptz + ${LEASE}::interval`,
      })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('status', 'in', RESENDABLE)
      .where('to_address', '<>', 'erased')
      .returning('id')
      .execute(),
  )
  const [mail] = await readLeasedMails(tx, claimed)
  return mail
}

async function readLeasedMails(tx: TenantTx, leased: readonly { id: string }[]): Promise<LeasedMail[]> {
  if (leased.length === 0) return []
  const { rows } = await sql<LeasedMail>`
    select * from read_mails_under_lease(${leased.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows
}

/** Also gives this state to the reminder of the mail. */
export async function markMail(
  tx: TenantTx,
  outcome: Outcome,
  reminder: Pick<AppointmentReminder, 'status' | 'reason'>,
): Promise<void> {
  const { id, attempt, status, provider, providerMessageId, error, at } = outcome
  await sql`select mark_mail(${id}, ${attempt}, ${status}, ${provider ?? null}, ${providerMessageId ?? null},
    ${error ?? null}, ${at.toISOString()}, ${reminder.status}, ${reminder.reason})`.execute(tx)
}

export async function listSuppressions(tx: TenantTx, indexes: readonly Buffer[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ address_index: Buffer; reason: string }>`
    select * from list_mail_suppressions(${indexes}::bytea[])`.execute(tx)
  return new Map(rows.map(({ address_index, reason }) => [address_index.toString('hex'), reason]))
}

export async function insertSuppression(tx: PublicTx, index: Buffer, reason: 'bounce' | 'complaint'): Promise<void> {
  await sql`select suppress_mail_address(${index}, ${reason})`.execute(tx)
}

interface MailRecipient {
  organization_id: string
  organization_name: string
  patient_profile_id: string
  language: 'en' | 'ro'
}

export async function findMailRecipient(tx: PublicTx, mailId: string): Promise<MailRecipient | undefined> {
  const { rows } = await sql<MailRecipient>`select * from find_mail_recipient(${mailId})`.execute(tx)
  return rows[0]
}

export async function clearOldMails(tx: TenantTx, now: Date): Promise<void> {
  await sql`select clear_old_mails(${now.toISOString()})`.execute(tx)
}

const MAX_DEVELOPMENT_MAILS = 100

const mailsForDevelopment = (tx: PlatformTx) =>
  tx
    .selectFrom('mail_outbox')
    .leftJoin('organizations', 'organizations.id', 'mail_outbox.organization_id')
    .select([
      'mail_outbox.id',
      'mail_outbox.organization_id',
      'to_address',
      'template',
      'language',
      'data',
      'kind',
      'attempts',
      'status',
      'mail_outbox.created_at',
      'organizations.name as organization_name',
      'organizations.slug as organization_slug',
      'organizations.contact_email',
      'organizations.time_zone',
    ])

export type DevelopmentMail = StoredContent & { status: string }

export async function listMailsForDevelopment(tx: PlatformTx): Promise<DevelopmentMail[]> {
  const newest = mailsForDevelopment(tx).orderBy('mail_outbox.id', 'desc').limit(MAX_DEVELOPMENT_MAILS)
  return newest.execute()
}

export async function findMailForDevelopment(tx: PlatformTx, id: string): Promise<DevelopmentMail | undefined> {
  return mailsForDevelopment(tx).where('mail_outbox.id', '=', id).executeTakeFirst()
}
