import { changesBetween } from '@tendon/access'
import type { FormValues } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { listPrivateFields } from '../custom-fields/index.ts'
import { invalidForm } from '../form-templates/index.ts'
import { patientChanged } from '../segments/index.ts'
import { deleteHiddenFiles } from './files/hidden.ts'
import { listFiles } from './files/queries.ts'
import { asPrivateAs, linkedIdsOf } from './privacy-rules.ts'
import { saveToProfile } from './profile.ts'
import { type FormRow, updateForm } from './queries.ts'
import { fileKeysOf, isAbout, record } from './record.ts'
import { changedValues, saveOf } from './rules.ts'

interface SaveOptions {
  now: Date
  /** For a new file, whose questions nobody could answer before it came. */
  mayReopen?: boolean
}

/**
 * Saves answers of a form that is locked and not signed: form, profile, segments, audit entry, event. Without answers it
 * computes the status again: for files, which have routes of their own.
 */
export async function saveForm(
  request: FastifyRequest,
  tx: TenantTx,
  form: FormRow,
  given: FormValues,
  { now, mayReopen = false }: SaveOptions,
) {
  const stored = await listFiles(tx, form.id)
  const files = fileKeysOf(stored)
  const byPatient = isAbout(request.caller, form)
  const privateFields = await listPrivateFields(tx, linkedIdsOf(form.fields))
  const fields = asPrivateAs(privateFields, form.fields)
  const { problems, values, status, forProfile } = saveOf({ ...form, fields }, files, given, {
    byPatient,
    mayReopen,
    privateFields,
  })
  if (Object.keys(problems).length > 0) throw invalidForm({ fields: problems })
  const completed_at = status === 'completed' ? now.toISOString() : null
  const { version } = await updateForm(tx, form.id, { values, status, completed_at })
  if (status === 'completed') await deleteHiddenFiles(request, tx, form, values, stored)
  await saveToProfile(request, tx, form.patient_id, forProfile, privateFields)
  await patientChanged(tx, form.patient_id)
  const changes = [
    ...changedValues(fields, form.values, values),
    ...changesBetween({ status: form.status }, { status }),
  ]
  const isSubmitted = status === 'completed' && form.status !== 'completed'
  await (isSubmitted ? record.submitted : record.saved)(request, tx, form, form, { changes })
  return { id: form.id, status, completed_at, version }
}
