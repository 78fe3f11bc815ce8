import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { findPatient, recordProfile } from '../../people/patients/index.ts'
import { lockValues, readValues, upsertValues } from '../custom-fields/index.ts'
import { formNotFound } from './errors.ts'
import { isTaken, type ProfileAnswer } from './profile-rules.ts'

/** Writes answers of a form into the patient's profile: values, audit entry and event, as a change of the profile itself. */
export async function saveToProfile(
  request: FastifyRequest,
  tx: TenantTx,
  patientId: string,
  answers: readonly ProfileAnswer[],
  privateFields: ReadonlySet<string>,
): Promise<void> {
  if (answers.length === 0) return
  const ids = answers.map(({ custom_field_id }) => custom_field_id)
  const held = async () =>
    new Map((await readValues(tx, patientId, ids)).map(({ custom_field_id, value }) => [custom_field_id, value]))
  await lockValues(tx, patientId)
  const before = await held()
  const taken = answers.filter((answer) => isTaken(answer, before.get(answer.custom_field_id)))
  if (taken.length === 0) return
  const written = taken.map(({ custom_field_id, value }) => ({ custom_field_id, value: value ?? null }))
  if (!(await upsertValues(tx, patientId, written))) return
  const after = await held()
  const changes = answers.flatMap(({ custom_field_id: id, key: field }) => {
    const change = { field, before: before.get(id) ?? null, after: after.get(id) ?? null }
    if (isDeepStrictEqual(change.before, change.after)) return []
    return privateFields.has(id) ? { ...change, private: true as const } : change
  })
  const patient = await findPatient(tx, patientId)
  if (!patient) throw formNotFound()
  await recordProfile.updated(request, tx, patient, patient, { changes })
}
