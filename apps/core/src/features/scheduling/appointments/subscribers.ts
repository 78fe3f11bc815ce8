import { publish, resolveLanguage } from '@tendon/access'
import { sendMail } from '../../../platform/mail.ts'
import { payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { patientChanged } from '../../records/segments/index.ts'
import { telemedicineWithdrawn } from './mails.ts'
import { eventPayload } from './record.ts'
import { listConsentMailRecipients, markTelemedicine } from './subscriber-queries.ts'

/**
 * When consent to telemedicine is given or withdrawn, updates whether future video appointments lack it. After a withdrawal
 * the clinic gets a mail and decides; nothing is cancelled.
 */
const consentSubscribers: readonly Subscriber[] = ['consent.granted', 'consent.withdrawn'].map((type) => ({
  type,
  handle: async (tx, { id, payload }) => {
    const profileId = payloadText(payload, 'patient_profile_id')
    if (payloadText(payload, 'purpose_code') !== 'telemedicine' || profileId === undefined) return
    const marked = await markTelemedicine(tx, profileId)
    for (const one of marked) await publish(tx, 'appointment.updated', eventPayload(one))
    // Read the stored consent, not the event: it may have changed again before the event is handled.
    const lacking = marked.filter(({ missing_consents }) => missing_consents.length > 0)
    if (lacking.length === 0) return
    const specialistIds = [...new Set(lacking.flatMap(({ specialist_id }) => specialist_id ?? []))]
    for (const { to_address, preferred_language, language_code } of await listConsentMailRecipients(tx, specialistIds))
      await sendMail(tx, telemedicineWithdrawn, {
        to_address,
        language: resolveLanguage(preferred_language, language_code),
        dedupe_key: `telemedicine_withdrawn ${id} ${to_address}`,
        data: { count: lacking.length },
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
