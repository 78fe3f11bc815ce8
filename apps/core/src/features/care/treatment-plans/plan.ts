import type { NewTreatmentPlan, TreatmentPlan } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { recorder } from '../../../platform/recorder.ts'
import { SETTING_LEAD } from '../../people/patients/index.ts'
import { mustSeePatients, openPatient } from '../patient-conditions/index.ts'
import {
  acceptSessions,
  copyOf,
  exerciseIdsOf,
  findPlannedExercises,
  findProgram,
  inOrder,
  listSessions,
  lockExercises,
  mustSeePlans,
  named,
  pathOf,
  type StoredSession,
  type WantedSession,
} from '../programs/index.ts'
import { exercisesUnavailable, programArchived, treatmentPlanNotFound } from './errors.ts'
import { findPlan, type PlanRow } from './queries.ts'
import { CHECKING_SAFETY, findFindings, type Override } from './safety.ts'

// What the routes about one plan share.

/** What a route that writes a plan declares. */
export const WRITING_PLAN = {
  codes: [...new Set([...SETTING_LEAD.codes, ...CHECKING_SAFETY.codes])],
  why: `${SETTING_LEAD.why} ${CHECKING_SAFETY.why}`,
}

export interface StoredPlan extends PlanRow {
  sessions: StoredSession[]
}

export const ownerOf = ({ id, patient_profile_id }: PlanRow) => ({ treatment_plan_id: id, patient_profile_id })

export async function loadPlan(tx: TenantTx, id: string): Promise<StoredPlan> {
  const plan = await findPlan(tx, id)
  if (!plan) throw treatmentPlanNotFound()
  return { ...plan, sessions: await listSessions(tx, ownerOf(plan)) }
}

/** A plan to change. The lock is on its patient: it is read again once nobody else changes what belongs to them. */
export async function openPlan(request: FastifyRequest, tx: TenantTx, id: string): Promise<StoredPlan> {
  mustSeePlans(request)
  mustSeePatients(request)
  const plan = await findPlan(tx, id)
  if (!plan) throw treatmentPlanNotFound()
  await openPatient(request, tx, plan.patient.id)
  return loadPlan(tx, id)
}

/** With the names of its exercises, and what the safety check finds today. */
export async function present(tx: TenantTx, { sessions, ...plan }: StoredPlan): Promise<TreatmentPlan> {
  const exercises = await findPlannedExercises(tx, sessions)
  const found = await findFindings(tx, plan.patient_profile_id, sessions)
  const shown = named(sessions, exercises).map((session, index) => ({
    ...session,
    exercises: session.exercises.map((one, place) => ({ ...one, findings: found.get(pathOf(index, place)) ?? [] })),
  }))
  return { ...plan, sessions: shown }
}

/** The title and the sessions of a new plan: those that are sent, else a copy of the program's. */
export async function draftOf(
  tx: TenantTx,
  body: NewTreatmentPlan,
): Promise<{ title: string; sessions: WantedSession[] }> {
  const program = body.program_id ? await findProgram(tx, body.program_id) : undefined
  const title = body.title ?? program?.name
  const fields = {
    ...(body.program_id && (!program || program.deleted_at !== null)
      ? { program_id: 'must name a program of your clinic' }
      : {}),
    ...(title === undefined ? { title: 'is required' } : {}),
  }
  if (title === undefined || Object.keys(fields).length > 0) throw validationFailed({ fields })
  if (program?.status === 'archived') throw programArchived()
  if (body.sessions || !program) return { title, sessions: await acceptSessions(tx, [], body.sessions ?? []) }
  const stored = await listSessions(tx, { program_id: program.id })
  await refuseUnavailable(tx, stored)
  return { title, sessions: copyOf(stored) }
}

/** Refuses exercises that are not published any more; the others stay as they are until the transaction ends. */
export async function refuseUnavailable(tx: TenantTx, sessions: readonly StoredSession[]): Promise<void> {
  const published = await lockExercises(tx, exerciseIdsOf(sessions))
  const gone = inOrder(sessions).filter(({ exercise }) => !published.has(exercise.exercise_id))
  if (gone.length === 0) return
  const names = await findPlannedExercises(tx, sessions)
  throw exercisesUnavailable({
    exercises: gone.map(({ path, exercise: { id, exercise_id } }) => ({
      path,
      exercise_id,
      name: names.get(id)?.name,
    })),
  })
}

/** Every audit entry about a patient is encrypted under the patient's own key. */
export const record = recorder({
  target: ({ id, title }: PlanRow) => ({ type: 'treatment_plan', id, label: title }),
  payload: ({ id, patient, patient_profile_id, program_id }) => ({
    treatment_plan_id: id,
    patient_id: patient.id,
    patient_profile_id,
    program_id,
  }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  facts: ({ has_ended: _computed, ...facts }) => facts,
  acts: {
    created: { action: 'treatment_plans.create', crud: 'C', event: 'treatment_plan.created' },
    read: { action: 'treatment_plans.read', crud: 'R' },
    updated: { action: 'treatment_plans.update', crud: 'U', event: 'treatment_plan.updated' },
    overridden: { action: 'treatment_plans.override', crud: 'U' },
    activated: { action: 'treatment_plans.activate', crud: 'U', event: 'treatment_plan.activated' },
    completed: { action: 'treatment_plans.complete', crud: 'U', event: 'treatment_plan.completed' },
    archived: { action: 'treatment_plans.archive', crud: 'U', event: 'treatment_plan.archived' },
    deleted: { action: 'treatment_plans.delete', crud: 'D', event: 'treatment_plan.deleted' },
  },
})

/** Each finding that was overridden, with the reason given for it. */
export async function recordOverrides(
  request: FastifyRequest,
  tx: TenantTx,
  plan: PlanRow,
  overrides: readonly Override[],
): Promise<void> {
  for (const { exercise_id, reason, findings } of overrides) {
    const changes = [{ field: 'findings', before: null, after: { exercise_id, findings } }]
    await record.overridden(request, tx, plan, plan, { reason, changes })
  }
}
