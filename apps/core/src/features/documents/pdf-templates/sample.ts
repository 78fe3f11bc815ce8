import type { DocumentLanguage } from '@tendon/contracts'
import { dateIn, dayIn, timeIn, weekdayIn } from './dates.ts'
import type { DocumentFacts } from './drawing-rules.ts'
import type { Letterhead } from './letterhead.ts'
import { WORDS } from './texts.ts'

const NAMES = {
  en: {
    patient: 'Jane Example',
    specialist: 'Alex Example',
    service: 'First assessment',
    location: 'Main clinic',
    title: 'Physiotherapist',
  },
  ro: {
    patient: 'Ioana Exemplu',
    specialist: 'Andrei Exemplu',
    service: 'Prima evaluare',
    location: 'Sediul central',
    title: 'Fizioterapeut',
  },
}

/** Sample data for the preview of a template. */
export function sampleFacts(letterhead: Letterhead, language: DocumentLanguage, now: Date): DocumentFacts {
  const words = WORDS[language]
  const { patient, specialist, service, location, title } = NAMES[language]
  const date = dateIn(language, letterhead.time_zone, now)
  const time = timeIn(language, letterhead.time_zone, now)
  const signature = (name: string) => ({ name, caption: date, image: null })
  return {
    values: {
      ...letterhead.values,
      'patient.name': patient,
      'patient.birth_date': dayIn(language, '1980-05-17'),
      'document.date': date,
      'document.verification_url': 'https://example.com',
      'form.title': words.form,
      'form.completed_on': date,
      'form.signed_on': date,
      'form.signed_by': specialist,
      'appointment.date': weekdayIn(language, letterhead.time_zone, now),
      'appointment.time': time,
      'appointment.end_time': time,
      'appointment.service': service,
      'appointment.specialist': specialist,
      'appointment.specialist_title': title,
      'appointment.specialist_registration_number': '12345',
      'appointment.location': location,
      'appointment.mode': words.modes.in_person,
      'plan.title': service,
      'plan.description': service,
      'plan.starts_on': date,
      'plan.ends_on': date,
    },
    answers: [{ section: words.form, rows: [{ label: words.notes, value: '…' }] }],
    sessions: [
      {
        title: '1',
        notes: null,
        columns: { name: words.exercise, dose: words.dose, instructions: words.instructions },
        rows: [{ name: service, dose: '3 × 10', instructions: '…', picture: null }],
      },
    ],
    signatures: { signer: signature(specialist), specialist: signature(specialist), patient: signature(patient) },
    images: new Map(),
  }
}
