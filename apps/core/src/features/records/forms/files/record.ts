import type { Change } from '@tendon/access'
import { type FormQuestion, valueKeyOf } from '@tendon/contracts'
import { recorder } from '../../../../platform/recorder.ts'
import type { FormRow } from '../queries.ts'
import type { StoredFormFile } from './queries.ts'

/** The key of the file's field is added to the payload. */
export const record = recorder({
  target: ({ id, title }: FormRow) => ({ type: 'form', id, label: title }),
  payload: ({ id, form_template_id, patient_profile_id }) => ({ form_id: id, form_template_id, patient_profile_id }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    uploaded: { action: 'form_files.upload', crud: 'C', event: 'form.file_uploaded' },
    replaced: { action: 'form_files.upload', crud: 'U', event: 'form.file_uploaded' },
    read: { action: 'form_files.read', crud: 'R' },
    deleted: { action: 'form_files.delete', crud: 'D', event: 'form.file_deleted' },
  },
})

interface FileChange {
  field: FormQuestion
  before?: StoredFormFile | undefined
  after?: StoredFormFile
}

/** What the audit log and the event tell of a file. */
export const changeOf = ({
  field,
  before,
  after,
}: FileChange): { changes: Change[]; payload: { field_key: string } } => {
  const change = { field: valueKeyOf(field), before: factsOf(before), after: factsOf(after) }
  return {
    changes: [field.private ? { ...change, private: true } : change],
    payload: { field_key: valueKeyOf(field) },
  }
}

const factsOf = (file: StoredFormFile | undefined) =>
  file ? { name: file.name, size: file.size, mime: file.mime, sha256: file.sha256.toString('hex') } : null
