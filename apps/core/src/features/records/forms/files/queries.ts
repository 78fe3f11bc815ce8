import type { FormFile } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface StoredFormFile extends FormFile {
  field_key: string
  sha256: Buffer
}

interface NewFormFile extends Pick<StoredFormFile, 'field_key' | 's3_key' | 'name' | 'size' | 'mime' | 'sha256'> {
  form_id: string
  patient_profile_id: string
}

const COLUMNS = ['field_key', 'object_key as s3_key', 'name', 'size', 'mime', 'sha256', 'uploaded_at'] as const

/** The files of a form, by field key. Those of private fields are among them. */
export function listFiles(tx: TenantTx, formId: string): Promise<StoredFormFile[]> {
  return tx.selectFrom('form_files').select(COLUMNS).where('form_id', '=', formId).orderBy('field_key').execute()
}

export function findFile(tx: TenantTx, formId: string, fieldKey: string): Promise<StoredFormFile | undefined> {
  return tx
    .selectFrom('form_files')
    .select(COLUMNS)
    .where('form_id', '=', formId)
    .where('field_key', '=', fieldKey)
    .executeTakeFirst()
}

/** In place of the field's file, if it has one. */
export function upsertFile(tx: TenantTx, { s3_key, form_id, ...file }: NewFormFile): Promise<StoredFormFile> {
  const changed = { name: file.name, size: file.size, mime: file.mime, sha256: file.sha256, object_key: s3_key }
  return tx
    .insertInto('form_files')
    .values({ ...file, form_id, object_key: s3_key })
    .onConflict((conflict) =>
      conflict.constraint('form_files_field_key').doUpdateSet({
        ...changed,
        uploaded_by_principal_id: sql`current_app_principal_id()`,
        uploaded_at: sql`now()`,
      }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteFile(tx: TenantTx, formId: string, fieldKey: string): Promise<void> {
  await tx
    .deleteFrom('form_files')
    .where('form_id', '=', formId)
    .where('field_key', '=', fieldKey)
    .returning('id')
    .executeTakeFirstOrThrow()
}
