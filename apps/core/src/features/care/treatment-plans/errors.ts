import { type Constraints, refusal } from '@tendon/http'

export const treatmentPlanNotFound = refusal(
  404,
  'treatment_plan_not_found',
  'There is no treatment plan with this id. GET /v1/treatment-plans lists the plans; for patients, GET /v1/me/treatment-plans.',
)
const FINDING = {
  path: 'sessions.0.exercises.0',
  kind: 'contraindication',
  level: 'block',
  exercise_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
  severity: 'contraindicated',
}
export const contraindicated = refusal(
  409,
  'contraindicated',
  'An exercise of the plan is contraindicated for this patient. Nothing was saved. Remove the exercises with level "block" in "findings".',
  { findings: [FINDING] },
)
export const overrideRequired = refusal(
  409,
  'override_required',
  'Some exercises of the plan need a reason; see "findings". Nothing was saved. Remove each of them, or give it an override_reason that says why the patient gets it. A reason given earlier for another finding does not count: write a new one.',
  { findings: [{ ...FINDING, level: 'reason', severity: 'relative' }] },
)
export const exercisesUnavailable = refusal(
  409,
  'exercises_unavailable',
  'Some exercises are deleted or no longer published; see "exercises". Remove them, or publish them again.',
  { exercises: [{ path: FINDING.path, exercise_id: FINDING.exercise_id, name: 'Squat' }] },
)
export const programArchived = refusal(
  409,
  'program_archived',
  'This program is archived. Make it active again (PUT /v1/programs/{id}/status), or choose another.',
)
export const planEmpty = refusal(
  422,
  'plan_empty',
  'An active plan needs at least one session, and each of its sessions at least one exercise. Add them first.',
)
export const planEnded = refusal(
  409,
  'plan_ended',
  'The last day of this plan was {ends_on}. Change ends_on (PUT /v1/treatment-plans/{id}), then activate the plan.',
  { ends_on: '2026-11-30' },
)
export const planClosed = refusal(
  409,
  'plan_closed',
  'This plan is {status} and can no longer be changed. Create a new plan instead.',
  { status: 'completed' },
)
export const planNotDraft = refusal(
  409,
  'plan_not_draft',
  'Only a draft can be deleted. This plan has been activated: archive it instead (PUT /v1/treatment-plans/{id}/status).',
)
export const invalidTransition = refusal(
  409,
  'invalid_transition',
  'A plan that is {from} cannot become {to}. A draft can become active, an active plan completed or archived, a completed one archived.',
  { from: 'draft', to: 'completed' },
)
const datesWrong = refusal(
  422,
  'validation_failed',
  'The plan cannot end before it starts. Change ends_on or starts_on.',
)

export const treatmentPlanConstraints: Constraints = {
  treatment_plans_dates_check: datesWrong,
}
