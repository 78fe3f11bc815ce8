import type { TestDatabase } from '@tendon/testing'

interface Of {
  id: string
  profile: string
  givenPlan: string
  exercise: string
}

/** Table → the columns that a row must have besides organization, run and patient. */
export const RUN_PARTS: Record<string, { columns: string; values: (exercise: string) => string }> = {
  session_run_events: { columns: 'session_exercise_id, type', values: (exercise) => `'${exercise}', 'started'` },
  pain_reports: { columns: 'severity, action', values: () => `5, 'rest'` },
  session_feedback: { columns: 'perceived_exertion, pain', values: () => '5, 2' },
}

/** A session of the plan with an exercise, and a run of it in progress with an event, a pain report and feedback. */
export async function createSessionRuns(query: TestDatabase['query'], { id, profile, givenPlan, exercise }: Of) {
  const insert = async (text: string, values: unknown[]) => {
    const [row] = await query<{ id: string }>(`insert into ${text} returning id`, [id, ...values])
    if (!row) throw new Error(`nothing was inserted: ${text}`)
    return row.id
  }
  const runSession = await insert(
    `plan_sessions (organization_id, treatment_plan_id, patient_profile_id, position, title) values ($1, $2, $3, 9, 'Run')`,
    [givenPlan, profile],
  )
  const runExercise = await insert(
    'session_exercises (organization_id, plan_session_id, exercise_id, position) values ($1, $2, $3, 1)',
    [runSession, exercise],
  )
  const sessionRun = await insert('session_runs (organization_id, plan_session_id) values ($1, $2)', [runSession])
  for (const [table, { columns, values }] of Object.entries(RUN_PARTS)) {
    await insert(
      `${table} (organization_id, session_run_id, patient_profile_id, ${columns}) values ($1, $2, $3, ${values(runExercise)})`,
      [sessionRun, profile],
    )
  }
  return { runSession, runExercise, sessionRun }
}
