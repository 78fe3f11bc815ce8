import { createHash, randomBytes } from 'node:crypto'
import { resolveLanguage } from '@tendon/access'
import type { Appointment, OfferReason, WaitlistOffer } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { sendMail } from '../../../platform/mail.ts'
import { endOf, findFactsForStaff, isOverLimitOf } from '../appointments/index.ts'
import { findStaffFacts } from '../availability/index.ts'
import { candidatesOf, windowOf } from '../holds/index.ts'
import { clinicClock } from './clinic-clock.ts'
import { EXPIRE_JOB, SEND_JOB } from './job-names.ts'
import { waitlistOffered } from './mails.ts'
import {
  findClinic,
  holdOfferedTime,
  insertOpenOffer,
  markExpiredOffers,
  type OfferedTime,
  releaseOfferedTime,
  type StoredOffer,
  saveToken,
} from './queries.ts'
import { offerTimes, reasonAgainstOffer } from './rules.ts'
import { listBusyProfiles, listRecipients, type Recipient } from './waiting-queries.ts'

const TOKEN_BYTES = 24

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A waitlist entry that can be offered a time. */
export type Entry = Pick<
  Appointment,
  'id' | 'service_id' | 'location_id' | 'patient_profile_id' | 'mode' | 'overlap_allowed'
>

export interface Surroundings {
  now: Date
  publicUrl: string
  offeredBy: WaitlistOffer['offered_by']
  /** Staff may pass the limit of a day. */
  overLimit?: boolean | undefined
}

export type OfferOutcome =
  | { outcome: 'offered'; offer: StoredOffer; isOverLimit: boolean }
  | { outcome: 'skipped'; reason: OfferReason }
  | { outcome: 'taken' | 'open' | 'inside_notice' | 'unknown_service' | 'not_free' | 'day_full' }

/**
 * Claims the time for the entry and writes the offer, its mail and its end. An automatic offer is made only for a time that
 * free times show, so none on a day off; staff may offer any time that nobody has claimed.
 */
export async function offerTime(
  tx: TenantTx,
  entry: Entry,
  { specialist_id, starts_at }: OfferedTime,
  surroundings: Surroundings,
): Promise<OfferOutcome> {
  const { now, offeredBy } = surroundings
  const wanted = { service_id: entry.service_id, specialist_id, mode: entry.mode, starts_at }
  const [facts, { time_zone }] = [await findStaffFacts(tx, windowOf(wanted)), await findClinic(tx)]
  if (!facts) return { outcome: 'unknown_service' }
  const startsAt = new Date(starts_at)
  const ends_at = endOf(startsAt, facts.service.duration_minutes).toISOString()
  const recipient = await findRecipient(tx, entry, starts_at, ends_at)
  if ('reason' in recipient) return { outcome: 'skipped', reason: recipient.reason }
  const times = offerTimes(startsAt, facts.service.min_notice_minutes, now, clinicClock(time_zone, now))
  if (!times) return { outcome: 'inside_notice' }
  await markExpiredOffers(tx)
  const candidates = candidatesOf(facts, wanted, now, { forStaff: true, overLimit: true })
  const slot = typeof candidates === 'string' ? undefined : candidates[0]
  if (!slot && offeredBy === 'auto') return { outcome: 'not_free' }
  const booking = await findFactsForStaff(tx, entry.service_id, specialist_id)
  const time = { serviceId: entry.service_id, specialistId: specialist_id, startsAt }
  const isOverLimit = booking !== undefined && (await isOverLimitOf(tx, booking, time))
  if (isOverLimit && !surroundings.overLimit) return { outcome: 'day_full' }
  const place = { location_id: slot?.locationId ?? entry.location_id, calendar_id: slot?.calendarId ?? null }
  const hold = await holdOfferedTime(
    tx,
    { ...place, service_id: entry.service_id, mode: entry.mode, specialist_id, starts_at },
    times.expiresAt.getTime() - now.getTime(),
  )
  if (!hold) return { outcome: 'taken' }
  const offer = await insertOpenOffer(tx, {
    ...place,
    appointment_id: entry.id,
    patient_profile_id: entry.patient_profile_id,
    specialist_id,
    starts_at,
    ends_at,
    offered_by: offeredBy,
    hold_id: hold.id,
    mail_at: times.mailAt.toISOString(),
    expires_at: hold.expires_at,
  })
  if (!offer) {
    await releaseOfferedTime(tx, hold.id)
    return { outcome: 'open' }
  }
  if (times.mailAt.getTime() <= now.getTime()) await mailOffer(tx, offer, recipient, surroundings.publicUrl)
  else await addJob(tx, SEND_JOB, { offer_id: offer.id }, { key: offer.id, runAt: times.mailAt })
  await addJob(tx, EXPIRE_JOB, { offer_id: offer.id }, { key: offer.id, runAt: new Date(hold.expires_at) })
  return { outcome: 'offered', offer, isOverLimit }
}

type FoundRecipient = (Recipient & { to_address: string }) | { reason: OfferReason }

/** The patient of an entry, or why they get no offer of this time. */
export async function findRecipient(
  tx: TenantTx,
  { id, patient_profile_id, overlap_allowed }: Pick<Entry, 'id' | 'patient_profile_id' | 'overlap_allowed'>,
  startsAt: string,
  endsAt: string,
): Promise<FoundRecipient> {
  const [recipient] = await listRecipients(tx, [id])
  if (!recipient || patient_profile_id === null) return { reason: 'no_address' }
  const busy = overlap_allowed ? [] : await listBusyProfiles(tx, [patient_profile_id], startsAt, endsAt)
  const reason = reasonAgainstOffer({ ...recipient, is_busy: busy.length > 0 })
  if (reason !== undefined) return { reason }
  return { ...recipient, to_address: recipient.to_address ?? '' }
}

/** The link exists from now on: only the mail contains its token. */
export async function mailOffer(
  tx: TenantTx,
  offer: StoredOffer,
  { to_address, language }: Pick<Recipient, 'language'> & { to_address: string },
  publicUrl: string,
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await saveToken(tx, offer.id, hashOf(token))
  await sendMail(tx, waitlistOffered, {
    to_address,
    language: resolveLanguage(language, null),
    ...(offer.patient_profile_id === null ? {} : { patient_profile_id: offer.patient_profile_id }),
    dedupe_key: `waitlist offer ${offer.id}`,
    data: {
      starts_at: offer.starts_at,
      expires_at: offer.expires_at ?? offer.starts_at,
      url: `${publicUrl}/portal/waitlist-offers/${token}`,
    },
  })
}
