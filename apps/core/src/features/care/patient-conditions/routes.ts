import { publish } from '@tendon/access'
import {
  type AffectedPlan,
  ById,
  ByPatientCondition,
  listParameters,
  Many,
  NewPatientCondition,
  NoContent,
  type Patient,
  PatientCondition,
  PatientConditionChanges,
  patientConditionList,
  RecordedCondition,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import {
  pageOf,
  parseList,
  permission,
  permissionOrPatient,
  processingRestricted,
  validationFailed,
} from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, LOCKING_PATIENT, patientNotFound, patientResource } from '../../people/patients/index.ts'
import { READING_CONTRAINDICATED } from './contraindication-queries.ts'
import { conditionExists, patientConditionNotFound } from './errors.ts'
import {
  deletePatientCondition,
  findCondition,
  findPatientCondition,
  findProgramId,
  insertPatientCondition,
  listAffectedExercises,
  listPatientConditions,
  updatePatientCondition,
} from './queries.ts'
import { openPatient } from './record.ts'
import { affectedPlans, newlyForbidden, problemOfSince } from './rules.ts'

const MANAGE = permission('treatment_plans.manage')
const REPORTING_PLANS = {
  codes: [...new Set([...LOCKING_PATIENT.codes, ...READING_CONTRAINDICATED.codes])],
  why: `${LOCKING_PATIENT.why} ${READING_CONTRAINDICATED.why}`,
}

async function readCondition(tx: TenantTx, { patient_profile_id }: Patient, id: string): Promise<PatientCondition> {
  const condition = await findPatientCondition(tx, patient_profile_id, id)
  if (!condition) throw patientConditionNotFound()
  return condition
}

interface Recorded {
  patient: Patient
  condition: PatientCondition
}

const record = recorder({
  target: ({ condition }: Recorded) => ({
    type: 'patient_condition',
    id: condition.id,
    label: condition.condition.name,
  }),
  facts: ({ condition }) => condition,
  payload: ({ patient, condition }) => ({ ...patientResource.payload(patient), patient_condition_id: condition.id }),
  patientProfileId: ({ patient }) => patient.patient_profile_id,
  acts: {
    created: { action: 'patient_conditions.create', crud: 'C', event: 'patient_condition.created' },
    updated: { action: 'patient_conditions.update', crud: 'U', event: 'patient_condition.updated' },
    deleted: { action: 'patient_conditions.delete', crud: 'D', event: 'patient_condition.deleted' },
  },
})

const recordPatient = recorder({ ...patientResource, acts: { read: { action: 'patient_conditions.read', crud: 'R' } } })

export const patientConditionRoutes: Routes = (app, { now }) => {
  const refuseFuture = (since: string | null | undefined) => {
    const problem = problemOfSince(since, now())
    if (problem) throw validationFailed({ fields: { since: problem } })
  }

  app.get(
    '/v1/patients/:id/conditions',
    {
      config: {
        access: permissionOrPatient('patients.view_org'),
        patientData: true,
        summary: 'List the conditions of a patient',
        description: 'Access by staff is logged.',
        refusals: [patientNotFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(patientConditionList),
        response: { 200: Many(PatientCondition) },
      },
    },
    (request) =>
      request.tenant(async (tx) => {
        const list = parseList(patientConditionList, request.query)
        const patient = await findPatient(tx, request.params.id)
        if (!patient) throw patientNotFound()
        const { rows, total } = await listPatientConditions(tx, patient.patient_profile_id, list)
        if (request.caller.patient_id !== patient.id) await recordPatient.read(request, tx, patient)
        return { data: rows, pagination: pageOf(list, total) }
      }),
  )

  app.post(
    '/v1/patients/:id/conditions',
    {
      config: {
        access: MANAGE,
        service: REPORTING_PLANS,
        patientData: true,
        idempotent: true,
        summary: 'Add a condition to a patient',
        description: 'The response names the active treatment plans for which the condition is a contraindication.',
        refusals: [patientNotFound, processingRestricted, conditionExists],
      },
      schema: { params: ById, body: NewPatientCondition, response: { 201: RecordedCondition } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        refuseFuture(request.body.since)
        const patient = await openPatient(request, tx, request.params.id)
        await refuseUnusable(tx, request.body.condition_id)
        const id = await insertPatientCondition(tx, patient.patient_profile_id, request.body)
        const created = await readCondition(tx, patient, id)
        await record.created(request, tx, { patient, condition: created })
        return { data: created, affected_plans: await reportPlans(tx, patient, created, []) }
      }),
  )

  app.patch(
    '/v1/patients/:id/conditions/:conditionId',
    {
      config: {
        access: MANAGE,
        service: REPORTING_PLANS,
        patientData: true,
        versioned: 'version',
        summary: 'Update a condition of a patient',
        description:
          'Changes onset, note, status, stage or clearances. Author and time of a clearance are recorded. The response names the active treatment plans for which the condition is a contraindication.',
        refusals: [patientNotFound, patientConditionNotFound, processingRestricted],
      },
      schema: { params: ByPatientCondition, body: PatientConditionChanges, response: { 200: RecordedCondition } },
    },
    (request) =>
      request.tenant(async (tx) => {
        refuseFuture(request.body.since)
        const patient = await openPatient(request, tx, request.params.id)
        const before = await readCondition(tx, patient, request.params.conditionId)
        await request.mustMatch(tx, before)
        const affectedBefore = await listAffected(tx, patient, before)
        await updatePatientCondition(tx, before.id, request.body)
        const after = await readCondition(tx, patient, before.id)
        await record.updated(request, tx, { patient, condition: before }, { patient, condition: after })
        return { data: after, affected_plans: await reportPlans(tx, patient, after, affectedBefore) }
      }),
  )

  app.delete(
    '/v1/patients/:id/conditions/:conditionId',
    {
      config: {
        access: MANAGE,
        service: LOCKING_PATIENT,
        versioned: 'header',
        patientData: true,
        summary: 'Remove a condition from a patient',
        refusals: [patientNotFound, patientConditionNotFound, processingRestricted],
      },
      schema: { params: ByPatientCondition, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const patient = await openPatient(request, tx, request.params.id)
        const before = await readCondition(tx, patient, request.params.conditionId)
        await request.mustMatch(tx, before)
        await deletePatientCondition(tx, before.id)
        const changes = [{ field: 'condition', before, after: null }]
        await record.deleted(request, tx, { patient, condition: before }, undefined, { changes })
      })
      return reply.code(204).send(null)
    },
  )
}

const listAffected = async (tx: TenantTx, patient: Patient, { id }: PatientCondition): Promise<AffectedPlan[]> =>
  affectedPlans(await listAffectedExercises(tx, patient.patient_profile_id, id))

/** The active plans that a condition affects. An event reports plans with exercises that are newly forbidden. */
async function reportPlans(
  tx: TenantTx,
  patient: Patient,
  condition: PatientCondition,
  affectedBefore: readonly AffectedPlan[],
): Promise<AffectedPlan[]> {
  const affected = await listAffected(tx, patient, condition)
  for (const plan of affected) {
    const exercise_ids = newlyForbidden(
      plan,
      affectedBefore.find(({ id }) => id === plan.id),
    )
    if (exercise_ids.length === 0) continue
    const payload = {
      treatment_plan_id: plan.id,
      ...patientResource.payload(patient),
      program_id: await findProgramId(tx, plan.id),
      patient_condition_id: condition.id,
      exercise_ids,
    }
    await publish(tx, 'treatment_plan.contraindicated', payload)
  }
  return affected
}

async function refuseUnusable(tx: TenantTx, conditionId: string): Promise<void> {
  const condition = await findCondition(tx, conditionId)
  if (condition && !condition.deprecated) return
  const problem = condition
    ? 'is a deprecated condition: choose its replacement'
    : 'must be the id of a condition of the platform or of the clinic'
  throw validationFailed({ fields: { condition_id: problem } })
}
