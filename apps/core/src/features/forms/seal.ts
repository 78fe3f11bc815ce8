import { createHash } from 'node:crypto'
import type { Form } from '@tendon/contracts'
import { canonicalJson } from '../gdpr/index.ts'

/** Everything that a signature stands for, in the order of no particular writer. */
export interface Sealed extends Omit<Form, 'status' | 'created_at' | 'created_by_principal_id' | 'files'> {
  organization_id: string
}

/** "A SHA-256 over the canonical JSON of version, fields, values, file hashes, signer and time." */
export function sealOf(form: Sealed, fileHashes: Readonly<Record<string, string>>): Buffer {
  const {
    id,
    organization_id,
    title,
    type,
    form_template_id,
    template_version,
    patient_profile_id,
    appointment_id,
    amends_form_id,
    fields,
    translations,
    values,
    consent_purposes,
    completed_at,
    signed_at,
    signed_by_principal_id,
  } = form
  const sealed = {
    id,
    organization_id,
    title,
    type,
    form_template_id,
    template_version,
    patient_profile_id,
    appointment_id,
    amends_form_id,
    fields,
    translations,
    values,
    consent_purposes,
    completed_at,
    signed_at,
    signed_by_principal_id,
    files: fileHashes,
  }
  return createHash('sha256').update(canonicalJson(sealed)).digest()
}
