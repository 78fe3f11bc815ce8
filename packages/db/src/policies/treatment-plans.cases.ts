import { all, type Cases } from './case.ts'

const VIEW = all('treatment_plans.view_org')
const MANAGE = all('treatment_plans.manage')
// What is changed must also be seen: an update or delete of chosen rows needs the right to view besides its own.
const CHANGE = all('treatment_plans.view_org', 'treatment_plans.manage')

export const TREATMENT_PLAN_CASES: Cases = {
  patient_conditions: {
    row: (of) => `patient_profile_id = '${of.profile}'`,
    fresh: (of) => `(organization_id, patient_profile_id, condition_id)
      values ('${of.id}', '${of.profile}', '${of.spareCondition}')`,
    set: `note = 'Other'`,
    select: all('patients.view_org'),
    insert: MANAGE,
    update: all('patients.view_org', 'treatment_plans.manage'),
    delete: all('patients.view_org', 'treatment_plans.manage'),
  },
  programs: {
    row: (of) => `id = '${of.program}'`,
    fresh: (of) => `(organization_id, name) values ('${of.id}', 'New')`,
    set: `name = 'Other'`,
    select: VIEW,
    insert: MANAGE,
    update: CHANGE,
    delete: 'nobody',
  },
  treatment_plans: {
    row: (of) => `id = '${of.plan}'`,
    fresh: (of) => `(organization_id, patient_profile_id, title) values ('${of.id}', '${of.profile}', 'New')`,
    set: `title = 'Other'`,
    select: VIEW,
    insert: MANAGE,
    update: CHANGE,
    delete: CHANGE,
  },
  plan_sessions: {
    row: (of) => `id = '${of.emptySession}'`,
    fresh: (of) => `(organization_id, treatment_plan_id, patient_profile_id, position, title)
      values ('${of.id}', '${of.plan}', '${of.profile}', 3, 'New')`,
    set: `title = 'Other'`,
    select: VIEW,
    insert: MANAGE,
    update: CHANGE,
    delete: CHANGE,
  },
  session_exercises: {
    row: (of) => `plan_session_id = '${of.session}'`,
    fresh: (of) => `(organization_id, plan_session_id, exercise_id, position)
      values ('${of.id}', '${of.session}', '${of.spareExercise}', 2)`,
    set: 'sets = 5',
    select: VIEW,
    insert: MANAGE,
    update: CHANGE,
    delete: CHANGE,
  },
}
