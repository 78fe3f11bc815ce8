import { type Language, resolveLanguage } from '@tendon/access'
import type { AppointmentMail } from './appointment-mail.ts'

interface Envelope {
  to_address: string
  language: Language
  patient_profile_id?: string
}

export const envelopeOf = ({ to_address, language, patient_profile_id }: AppointmentMail): Envelope => ({
  to_address,
  language: resolveLanguage(language, null),
  ...(patient_profile_id === null ? {} : { patient_profile_id }),
})
