import { publish, resolveLanguage } from '@tendon/access'
import { together } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { patientChanged } from '../../records/segments/index.ts'
import { telemedicineWithdrawn } from './mails.ts'
import { hasTelemedicine } from './patient-queries.ts'
import { eventPayload } from './record.ts'
import { missingConsents } from './rules.ts'
import { listConsentMailRecipients, lockOpenAppointments, updateMissingConsents } from './subscriber-queries.ts'

/**
 * When consent to telemedicine is given or withdrawn, updates whether future video appointments lack it. After a withdrawal
 * the clinic gets a mail and decides; nothing is cancelled.
 */
const consentSubscribers: readonly Subscriber[] = ['consent.granted', 'consent.withdrawn'].map((type) => ({
  type,
  handle: async (tx, { id, payload }) => {
    const profileId = payloadText(payload, 'patient_profile_id')
    if (payloadText(payload, 'purpose_code') !== 'telemedicine' || profileId === undefined) return
    // The stored consent, not the event: it may have changed again. Read after the lock: of two events, the last one then wins.
    const [, isGiven] = await together([lockOpenAppointments(tx, profileId), hasTelemedicine(tx, profileId)])
    const missing = missingConsents('video', isGiven)
    const marked = await updateMissingConsents(tx, profileId, missing)
    await together(marked.map((one) => publish(tx, 'appointment.updated', eventPayload(one))))
    if (marked.length === 0 || missing.length === 0) return
    const specialistIds = [...new Set(marked.flatMap(({ specialist_id }) => specialist_id ?? []))]
    for (const { to_address, preferred_language, language_code } of await listConsentMailRecipients(tx, specialistIds))
      await sendMail(tx, telemedicineWithdrawn, {
        to_address,
        language: resolveLanguage(preferred_language, language_code),
        dedupe_key: `telemedicine_withdrawn ${id} ${to_address}`,
        data: { count: marked.length },
      })
  },
}))

const CHANGES = [
  'created',
  'updated',
  'confirmed',
  'rescheduled',
  'checked_in',
  'completed',
  'no_show',
  'cancelled',
  'status_reverted',
  'linked',
]

/** A changed appointment may change the segments of its patient. */
const segmentSubscribers: readonly Subscriber[] = CHANGES.map((change) => ({
  type: `appointment.${change}`,
  handle: async (tx, { payload }) => {
    const { patient_id } = payload as { patient_id?: unknown }
    if (typeof patient_id === 'string') await patientChanged(tx, patient_id)
  },
}))

export const appointmentSubscribers: readonly Subscriber[] = [...consentSubscribers, ...segmentSubscribers]
