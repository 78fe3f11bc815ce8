import type { DocumentKind } from '@tendon/contracts'

const COMMON = [
  'clinic.name',
  'clinic.legal_name',
  'clinic.address',
  'clinic.phone',
  'clinic.email',
  'clinic.website',
  'patient.name',
  'patient.birth_date',
  'document.date',
  'document.verification_url',
] as const
const FORM = ['form.title', 'form.completed_on', 'form.signed_on', 'form.signed_by'] as const
const APPOINTMENT = [
  'appointment.date',
  'appointment.time',
  'appointment.end_time',
  'appointment.service',
  'appointment.specialist',
  'appointment.location',
  'appointment.mode',
] as const
const PLAN = ['plan.title', 'plan.description', 'plan.starts_on', 'plan.ends_on'] as const

export type ValuePath = (typeof COMMON | typeof FORM | typeof APPOINTMENT | typeof PLAN)[number]

/** What a template of each kind can print. Nothing private to the clinic is among it. */
export const PATHS: Readonly<Record<DocumentKind, readonly ValuePath[]>> = {
  form: [...COMMON, ...FORM],
  appointment_letter: [...COMMON, ...APPOINTMENT],
  attendance_certificate: [...COMMON, ...APPOINTMENT],
  treatment_plan: [...COMMON, ...PLAN],
}

/** The text of each path; what is left out prints as nothing. */
export type Values = Readonly<Partial<Record<ValuePath, string>>>

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g

export const pathsIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, path = '']) => path)

/** Replaced once: a value that contains {{path}} prints as itself. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(PLACE, (_place, path: string) =>
    Object.hasOwn(values, path) ? (values[path as ValuePath] ?? '') : '',
  )
