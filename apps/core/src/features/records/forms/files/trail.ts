import { type FormQuestion, valueKeyOf } from '@tendon/contracts'
import type { AuditEntry } from '../../../../platform/audit.ts'
import type { FormRow } from '../queries.ts'
import type { StoredFormFile } from './queries.ts'

// What the log and the outbox keep of a file.

interface FileChange {
  field: FormQuestion
  before?: StoredFormFile | undefined
  after?: StoredFormFile
}

/** Every entry about a patient is encrypted under the patient's own key. */
export function entryAbout(
  { id, title, patient_profile_id }: FormRow,
  entry: Pick<AuditEntry, 'action' | 'crud'>,
  change?: FileChange,
): AuditEntry {
  return {
    ...entry,
    target: { type: 'form', id, label: title },
    ...(change ? { changes: [changeOf(change)] } : {}),
    patientProfileId: patient_profile_id,
  }
}

const changeOf = ({ field, before, after }: FileChange) => ({
  field: valueKeyOf(field),
  before: factsOf(before),
  after: factsOf(after),
  ...(field.private ? { private: true as const } : {}),
})

const factsOf = (file: StoredFormFile | undefined) =>
  file ? { name: file.name, size: file.size, mime: file.mime, sha256: file.sha256.toString('hex') } : null

export const eventOf = ({ id, form_template_id, patient_profile_id }: FormRow, field_key: string) => ({
  form_id: id,
  form_template_id,
  patient_profile_id,
  field_key,
})
