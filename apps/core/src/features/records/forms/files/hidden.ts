import { type FormValues, valueKeyOf, visibleFields } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import type { FormRow } from '../queries.ts'
import { deleteFile, type StoredFormFile } from './queries.ts'
import { changeOf, record } from './record.ts'

/** A complete form holds files of what it asks, no others. Their objects go after the commit. */
export async function deleteHiddenFiles(
  request: FastifyRequest,
  tx: TenantTx,
  form: FormRow,
  values: FormValues,
  stored: readonly StoredFormFile[],
): Promise<void> {
  const files = new Map(stored.map((file) => [file.field_key, file]))
  const asked = new Set(visibleFields(form.fields, values, new Set(files.keys())))
  for (const field of form.fields) {
    const file = files.get(valueKeyOf(field))
    if (!file || asked.has(field)) continue
    await deleteFile(tx, form.id, file.field_key)
    await record.deleted(request, tx, form, undefined, changeOf({ field, before: file }))
  }
}
