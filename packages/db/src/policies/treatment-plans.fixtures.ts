import type { TestDatabase } from '@tendon/testing'

interface Of {
  id: string
  profile: string
  exercise: string
  condition: string
}

/** A condition of a patient, a program, a draft without sessions, and an active plan with two. */
export async function createPlans(query: TestDatabase['query'], { id, profile, exercise, condition }: Of) {
  const insert = async (text: string, values: unknown[]) => {
    const [row] = await query<{ id: string }>(`insert into ${text} returning id`, [id, ...values])
    if (!row) throw new Error(`nothing was inserted: ${text}`)
    return row.id
  }
  await insert('patient_conditions (organization_id, patient_profile_id, condition_id) values ($1, $2, $3)', [
    profile,
    condition,
  ])
  const program = await insert(`programs (organization_id, name) values ($1, 'Knee')`, [])
  const newPlan = (status: string) =>
    insert(
      `treatment_plans (organization_id, patient_profile_id, program_id, title, status) values ($1, $2, $3, 'Knee', $4)`,
      [profile, program, status],
    )
  const [plan, givenPlan] = await Promise.all([newPlan('draft'), newPlan('active')])
  const newSession = (position: number) =>
    insert(
      `plan_sessions (organization_id, treatment_plan_id, patient_profile_id, position, title) values ($1, $2, $3, $4, 'Monday')`,
      [givenPlan, profile, position],
    )
  const [session, emptySession] = await Promise.all([newSession(1), newSession(2)])
  const sessionExercise = await insert(
    'session_exercises (organization_id, plan_session_id, exercise_id, position) values ($1, $2, $3, 1)',
    [session, exercise],
  )
  return { program, plan, givenPlan, session, emptySession, sessionExercise }
}
