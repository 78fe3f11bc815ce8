import { createHash } from 'node:crypto'
import { canonicalJson } from '../../privacy/gdpr/index.ts'
import type { FormRow } from './queries.ts'

/** Everything in a form that a signature covers. */
const SEALED = [
  'id',
  'organization_id',
  'title',
  'type',
  'form_template_id',
  'template_version',
  'patient_profile_id',
  'appointment_id',
  'amends_form_id',
  'fields',
  'translations',
  'values',
  'consent_purposes',
  'completed_at',
  'signed_at',
  'signed_by_principal_id',
] as const satisfies readonly (keyof FormRow)[]

/** "A SHA-256 over the canonical JSON of version, fields, values, file hashes, signer and time." */
export function sealOf(form: FormRow, fileHashes: Readonly<Record<string, string>>): Buffer {
  const sealed = Object.fromEntries(SEALED.map((name) => [name, form[name]]))
  return createHash('sha256')
    .update(canonicalJson({ ...sealed, files: fileHashes }))
    .digest()
}
