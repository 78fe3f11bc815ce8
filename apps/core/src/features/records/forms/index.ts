import type { NewForm } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { JobTools } from '../../../platform/jobs.ts'
import { draftForm } from './creating.ts'
import { findForm, insertForm } from './queries.ts'
import { record } from './record.ts'
import { changedValues } from './rules.ts'

export { formNotFound } from './errors.ts'
export { printableForm } from './privacy.ts'
export type { FormRow } from './queries.ts'
export { READING_FORM, readForm } from './record.ts'

/** A form created by the system. Throws the refusals of `POST /v1/forms`. */
export async function createForm(tools: JobTools, tx: TenantTx, body: NewForm, clinicId: string): Promise<void> {
  const row = await draftForm(tx, body, clinicId, tools.services.scheduling)
  const form = await findForm(tx, await insertForm(tx, row))
  if (!form) throw new Error('the form that was inserted is not visible')
  await record.created(tools, tx, form, { changes: changedValues(form.fields, {}, form.values) })
}
