import {
  ById,
  Choices,
  One,
  SafetyCheck,
  SafetyCheckResult,
  TreatmentPlan,
  TreatmentPlanStatusChange,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { permission, processingRestricted, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { recorder } from '../../../platform/recorder.ts'
import { findPatient, patientNotFound, patientResource } from '../../people/patients/index.ts'
import { mustSeePatients } from '../patient-conditions/index.ts'
import { asWanted, lockExercises, pathOf } from '../programs/index.ts'
import {
  contraindicated,
  exercisesUnavailable,
  invalidTransition,
  overrideRequired,
  planEmpty,
  planEnded,
  treatmentPlanNotFound,
} from './errors.ts'
import { loadPlan, openPlan, present, record, refuseUnavailable, type StoredPlan, WRITING_PLAN } from './plan.ts'
import { updatePlanStatus } from './queries.ts'
import { canBecome, isComplete } from './rules.ts'
import { CHECKING_SAFETY, checkSafety, findFindings } from './safety.ts'

const MANAGE = permission('treatment_plans.manage')
const RECORD = { active: record.activated, completed: record.completed, archived: record.archived } as const

/** Refuses to give a plan to the patient that is empty or over, or that would be refused if it were written today. */
async function checkActivation(
  tx: TenantTx,
  { patient_profile_id, sessions, has_ended, ends_on }: StoredPlan,
): Promise<void> {
  if (!isComplete(sessions)) throw planEmpty()
  if (has_ended) throw planEnded({ ends_on })
  await refuseUnavailable(tx, sessions)
  await checkSafety(tx, patient_profile_id, sessions, asWanted(sessions))
}

const recordPatient = recorder({
  ...patientResource,
  acts: { safetyChecked: { action: 'treatment_plans.check_safety', crud: 'R' } },
})

export const statusRoutes: Routes = (app) => {
  app.put(
    '/v1/treatment-plans/:id/status',
    {
      config: {
        access: MANAGE,
        service: WRITING_PLAN,
        versioned: 'version',
        patientData: true,
        summary: 'Change the status of a treatment plan',
        description: 'Activates, completes or archives it.',
        refusals: [
          treatmentPlanNotFound,
          patientNotFound,
          processingRestricted,
          invalidTransition,
          planEmpty,
          planEnded,
          exercisesUnavailable,
          contraindicated,
          overrideRequired,
        ],
      },
      schema: { params: ById, body: TreatmentPlanStatusChange, response: { 200: One(TreatmentPlan) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const { status } = request.body
        const before = await openPlan(request, tx, request.params.id)
        await request.mustMatch(tx, before, () => present(tx, before))
        if (status === 'draft' || !canBecome(before.status, status))
          throw invalidTransition({ from: before.status, to: status })
        if (status === 'active') await checkActivation(tx, before)
        await updatePlanStatus(tx, before.id, status)
        const after = await loadPlan(tx, before.id)
        await RECORD[status](request, tx, before, after)
        return { data: await present(tx, after) }
      }),
  )

  app.post(
    '/v1/treatment-plans/safety-check',
    {
      config: {
        access: MANAGE,
        service: CHECKING_SAFETY,
        patientData: true,
        operationId: 'checkExerciseSafety',
        summary: 'Check the safety of exercises for a patient',
        description:
          'Returns the contraindications and missing prerequisites of the exercises, in the order given. Nothing is saved.',
        refusals: [patientNotFound],
      },
      schema: { body: SafetyCheck, response: { 200: Choices(SafetyCheckResult) } },
    },
    async (request) => {
      mustSeePatients(request)
      const exercises = request.body.exercise_ids.map((id) => ({ exercise_id: id.toLowerCase() }))
      return request.tenant(async (tx) => {
        const patient = await findPatient(tx, request.body.patient_id)
        if (!patient) throw patientNotFound()
        await refuseUnknown(tx, exercises)
        const found = await findFindings(tx, patient.patient_profile_id, [{ exercises }])
        await recordPatient.safetyChecked(request, tx, patient)
        return { data: exercises.map((one, place) => ({ ...one, findings: found.get(pathOf(0, place)) ?? [] })) }
      })
    },
  )
}

async function refuseUnknown(tx: TenantTx, exercises: readonly { exercise_id: string }[]): Promise<void> {
  const ids = exercises.map(({ exercise_id }) => exercise_id)
  const published = await lockExercises(tx, ids)
  const unknown = ids.entries().filter(([, id]) => !published.has(id))
  const fields = Object.fromEntries(
    unknown.map(([index]) => [
      `exercise_ids.${index}`,
      'must be the id of a published exercise of the platform or of the clinic',
    ]),
  )
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}
