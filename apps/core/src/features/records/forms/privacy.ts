import type { Form, FormFile } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { listPrivateFields } from '../custom-fields/index.ts'
import { listFiles, type StoredFormFile } from './files/queries.ts'
import { asPrivateAs, linkedIdsOf } from './privacy-rules.ts'
import type { FormRow } from './queries.ts'
import { isAbout, viewOf } from './record.ts'
import { patientView } from './view-rules.ts'

/** The form, private also where its custom fields have become so since it was made. */
export async function asPrivateToday(tx: TenantTx, form: FormRow): Promise<FormRow> {
  return { ...form, fields: asPrivateAs(await listPrivateFields(tx, linkedIdsOf(form.fields)), form.fields) }
}

/** What the caller gets of a form: staff as it was made and signed, its patient nothing that is private today. */
export async function shownForm(tx: TenantTx, request: FastifyRequest, form: FormRow): Promise<Form> {
  return viewOf(tx, request, isAbout(request.caller, form) ? await asPrivateToday(tx, form) : form)
}

/** The form as its patient sees it, independent of the caller. Documents print this. */
export async function printableForm(tx: TenantTx, form: FormRow): Promise<{ form: Form; files: StoredFormFile[] }> {
  const stored = await listFiles(tx, form.id)
  const files: Record<string, FormFile> = Object.fromEntries(stored.map((file) => [file.field_key, file]))
  const shown = patientView({ ...(await asPrivateToday(tx, form)), files })
  return { form: shown, files: stored.filter(({ field_key }) => Object.hasOwn(shown.files, field_key)) }
}
