import type { Form } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { listPrivateFields } from '../custom-fields/index.ts'
import { asPrivateAs, linkedIdsOf } from './privacy-rules.ts'
import type { FormRow } from './queries.ts'
import { isAbout, viewOf } from './record.ts'

/** The form, private also where its custom fields have become so since it was made. */
export async function asPrivateToday(tx: TenantTx, form: FormRow): Promise<FormRow> {
  return { ...form, fields: asPrivateAs(await listPrivateFields(tx, linkedIdsOf(form.fields)), form.fields) }
}

/** What the caller gets of a form: staff as it was made and signed, its patient nothing that is private today. */
export async function shownForm(tx: TenantTx, request: FastifyRequest, form: FormRow): Promise<Form> {
  return viewOf(tx, request, isAbout(request.caller, form) ? await asPrivateToday(tx, form) : form)
}
