import type { FormFile } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'

export interface StoredFormFile extends FormFile {
  field_key: string
  sha256: Buffer
}

/** The files of a form, by field key. Those of private fields are among them. */
export function listFiles(tx: TenantTx, formId: string): Promise<StoredFormFile[]> {
  return tx
    .selectFrom('form_files')
    .select(['field_key', 'object_key as s3_key', 'name', 'size', 'mime', 'sha256', 'uploaded_at'])
    .where('form_id', '=', formId)
    .orderBy('field_key')
    .execute()
}
