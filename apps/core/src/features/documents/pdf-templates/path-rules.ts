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

/** The paths that a template of each kind can print. None contains data that patients must not see. */
export const PATHS: Readonly<Record<DocumentKind, readonly ValuePath[]>> = {
  form: [...COMMON, ...FORM],
  appointment_letter: [...COMMON, ...APPOINTMENT],
  attendance_certificate: [...COMMON, ...APPOINTMENT],
  treatment_plan: [...COMMON, ...PLAN],
}

/** The text of each path; a missing path prints nothing. */
export type Values = Readonly<Partial<Record<ValuePath, string>>>

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g

export const pathsIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, path = '']) => path)

/** Replaces paths once: a value that contains {{path}} is printed literally. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(PLACE, (_place, path: string) =>
    Object.hasOwn(values, path) ? (values[path as ValuePath] ?? '') : '',
  )
