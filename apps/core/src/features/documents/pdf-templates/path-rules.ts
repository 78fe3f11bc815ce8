import type { DocumentKind, PdfBlock } from '@tendon/contracts'

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
  'appointment.specialist_title',
  'appointment.specialist_registration_number',
  'appointment.location',
  'appointment.mode',
] as const
const PLAN = ['plan.title', 'plan.description', 'plan.starts_on', 'plan.ends_on'] as const

type ValuePath = (typeof COMMON | typeof FORM | typeof APPOINTMENT | typeof PLAN)[number]

/** The paths that a template of each kind can print. None contains data that patients must not see. */
export const PATHS: Readonly<Record<DocumentKind, readonly ValuePath[]>> = {
  form: [...COMMON, ...FORM],
  appointment_letter: [...COMMON, ...APPOINTMENT],
  attendance_certificate: [...COMMON, ...APPOINTMENT],
  treatment_plan: [...COMMON, ...PLAN],
}

/** The text of each path. One that is missing or empty is not known. */
export type Values = Readonly<Partial<Record<ValuePath, string>>>

/** A path with the spaces around it: to leave them out here would take time that grows with the cube of their number. */
export const PLACE = /\{\{([^{}]*)\}\}/g

export const pathsIn = (text: string): string[] => [...text.matchAll(PLACE)].map(([, path = '']) => path.trim())

/** The texts of a block that may contain paths. */
export const textsOf = ({ text, columns, rows, caption }: PdfBlock): string[] => [
  ...(text === undefined ? [] : [text]),
  ...(columns ?? []),
  ...(rows?.flat() ?? []),
  ...(caption === undefined ? [] : [caption]),
]
