import type { OfferReason } from '@tendon/contracts'

// A freed time is offered to one waitlist entry at a time. The offer claims the time until it expires; then, or when it is
// declined, the entry that has waited longest of the others is next.
//
// open → accepted (the entry becomes a visit), declined (by the patient), ended (by the clinic), expired (by the clock).
// skipped: an entry that was passed over, with the reason.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const LIFE_MS = 2 * HOUR_MS
const SHORT_LIFE_MS = 30 * MINUTE_MS
/** A visit that begins within this time is offered for the short life. */
const SHORT_BEFORE_MS = DAY_MS

/** Mails about offers are sent from 08:00 to 20:00 of the clinic's zone. */
const FIRST_MAIL_HOUR = 8
const LAST_MAIL_HOUR = 20

/** What clocks in the clinic show, in milliseconds as if it were UTC, and back. */
export interface ClinicClock {
  localOf: (instantMs: number) => number
  instantOf: (localMs: number) => number
}

/** The first moment from now on at which a mail may be sent. */
export function nextMailTime(now: Date, { localOf, instantOf }: ClinicClock): Date {
  const local = localOf(now.getTime())
  const midnight = Math.floor(local / DAY_MS) * DAY_MS
  const sinceMidnight = local - midnight
  if (sinceMidnight >= FIRST_MAIL_HOUR * HOUR_MS && sinceMidnight < LAST_MAIL_HOUR * HOUR_MS) return now
  const day = sinceMidnight < FIRST_MAIL_HOUR * HOUR_MS ? midnight : midnight + DAY_MS
  return new Date(instantOf(day + FIRST_MAIL_HOUR * HOUR_MS))
}

interface OfferTimes {
  mailAt: Date
  expiresAt: Date
}

/**
 * When the mail is sent and until when the time is kept: two hours from the mail on, half an hour when the visit is within a
 * day. Undefined inside the notice of the service; an offer never lasts into it.
 */
export function offerTimes(
  startsAt: Date,
  minNoticeMinutes: number,
  now: Date,
  clock: ClinicClock,
): OfferTimes | undefined {
  const lastMs = startsAt.getTime() - minNoticeMinutes * MINUTE_MS
  const mailAt = nextMailTime(now, clock)
  if (mailAt.getTime() >= lastMs) return undefined
  const isSoon = startsAt.getTime() - mailAt.getTime() <= SHORT_BEFORE_MS
  const lifeMs = isSoon ? SHORT_LIFE_MS : LIFE_MS
  return { mailAt, expiresAt: new Date(Math.min(mailAt.getTime() + lifeMs, lastMs)) }
}

/** What is known about the patient of a waitlist entry. */
interface OfferedPatient {
  to_address: string | null
  is_restricted: boolean
  is_erased: boolean
  /** Has another visit at the offered time. */
  is_busy: boolean
}

/** Why the entry gets no offer of this time, or undefined. */
export function reasonAgainstOffer(patient: OfferedPatient): OfferReason | undefined {
  if (patient.is_erased) return 'erased'
  if (patient.is_restricted) return 'restricted'
  if (patient.to_address === null) return 'no_address'
  if (patient.is_busy) return 'patient_busy'
  return undefined
}

export interface WaitingEntry extends OfferedPatient {
  id: string
  /** When the entry was created: its waiting time. */
  created_at: string
  /** This time was offered to the entry before, or the entry was skipped for it. */
  was_offered: boolean
  /** The person has an open offer, of this entry or another one. */
  has_open_offer: boolean
}

export interface Choice<Entry> {
  next: Entry | undefined
  skipped: { entry: Entry; reason: OfferReason }[]
}

/** The entry that has waited longest and can be offered the time, and those that were passed over before it. */
export function chooseNext<Entry extends WaitingEntry>(entries: readonly Entry[]): Choice<Entry> {
  const skipped: Choice<Entry>['skipped'] = []
  for (const entry of entries.toSorted(byWaitingTime)) {
    if (entry.was_offered || entry.has_open_offer) continue
    const reason = reasonAgainstOffer(entry)
    if (reason === undefined) return { next: entry, skipped }
    skipped.push({ entry, reason })
  }
  return { next: undefined, skipped }
}

const byWaitingTime = (a: WaitingEntry, b: WaitingEntry) =>
  Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1)
