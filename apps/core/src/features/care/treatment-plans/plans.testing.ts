import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Json, Person, TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

export const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

export const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]
export const fieldsOf = ({ status, body }: Answer) => [status, Object.keys(body?.error?.fields ?? {})]

/** A session with these exercises, as it is sent. */
export const session = (exercises: (string | object)[], values: object = {}) => ({
  title: 'Monday',
  exercises: exercises.map((one) => (typeof one === 'string' ? { exercise_id: one } : one)),
  ...values,
})

/** Exercises, conditions and contraindications. Inserted with SQL, so that tests do not depend on the shipped library. */
export function plansOf(core: TestCore) {
  const insert = async (text: string, values: unknown[]): Promise<string> => {
    const [row] = await core.database.query<{ id: string }>(`insert into ${text} returning id`, values)
    assert.ok(row)
    return row.id
  }

  /** A published exercise of the clinic; null: of the platform. */
  async function exercise(of: { id: string } | null, name = 'Squat', values: Record<string, unknown> = {}) {
    const id = await insert(
      `exercises (organization_id, name, slug, status, kind, translations, video_url)
       values ($1, $2, $3, $4, $5, $6, 'https://video.example/x.m3u8')`,
      [
        of?.id ?? null,
        name,
        `exercise-${randomUUID()}`,
        values.status ?? 'published',
        values.kind ?? 'reps_based',
        values.translations ?? {},
      ],
    )
    await core.database.query(
      `insert into exercise_instructions (exercise_id, sort_order, content, instruction_type, translations)
       values ($1, 1, 'Stand', 'step', '{"ro": {"content": "Stați"}}')`,
      [id],
    )
    return id
  }

  const condition = (of: { id: string } | null, name = 'Knee pain') =>
    insert(`taxonomy_tags (organization_id, axis, slug, name, icd10_code) values ($1, 'condition', $2, $3, 'M25.5')`, [
      of?.id ?? null,
      `condition-${randomUUID()}`,
      name,
    ])

  const contraindicate = (exerciseId: string, conditionId: string, severity: string, by: Person | null = null) =>
    insert(
      `exercise_contraindications (exercise_id, condition_id, severity, description, clinical_basis, tagged_by_principal_id,
         translations)
       values ($1, $2, $3, 'It hurts.', 'Guideline 2024', $4, '{"ro": {"description": "Doare."}}')`,
      [exerciseId, conditionId, severity, by?.id ?? null],
    )

  async function needsFirst(exerciseId: string, first: string): Promise<void> {
    await core.database.query(
      `insert into exercise_prerequisites (exercise_id, prerequisite_exercise_id, clinical_basis, translations)
       values ($1, $2, 'Guideline', '{"ro": {"clinical_basis": "Ghid"}}')`,
      [exerciseId, first],
    )
  }

  async function suffersFrom(clinic: TestOrganization, patientId: string, conditionId: string): Promise<Json> {
    const answer = await core.post(`/v1/patients/${patientId}/conditions`, {
      as: clinic.admin,
      body: { condition_id: conditionId },
    })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }

  const write = (as: Person, body: object) => core.post('/v1/treatment-plans', { as, body })
  const read = (as: Person, id: string) => core.get(`/v1/treatment-plans/${id}`, { as })
  const replace = (as: Person, id: string, body: object) => core.put(`/v1/treatment-plans/${id}`, { as, body })
  const become = (as: Person, id: string, status: string) =>
    core.put(`/v1/treatment-plans/${id}/status`, { as, body: { status } })

  /** A plan for the patient with these exercises in one session. */
  async function written(clinic: TestOrganization, patientId: string, exercises: (string | object)[]): Promise<Json> {
    const body = { patient_id: patientId, title: 'Knee', sessions: [session(exercises)] }
    const answer = await write(clinic.admin, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }

  async function given(clinic: TestOrganization, patientId: string, exercises: (string | object)[]): Promise<Json> {
    const { id } = await written(clinic, patientId, exercises)
    const answer = await become(clinic.admin, id, 'active')
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  const events = async (of: { id: string }, like: string): Promise<string[]> =>
    (
      await core.database.query<{ type: string }>(
        'select type from outbox_events where organization_id = $1 and type like $2 order by id',
        [of.id, like],
      )
    ).map(({ type }) => type)

  const entries = (of: { id: string }, like: string) =>
    core.database.query<{ action: string; crud: string; target_id: string; patient_profile_id: string | null }>(
      `select action, crud, target_id, patient_profile_id from audit_log
       where organization_id = $1 and action like $2 order by occurred_at, id`,
      [of.id, like],
    )

  const library = { exercise, condition, contraindicate, needsFirst, suffersFrom }
  return { ...library, write, read, replace, become, written, given, events, entries }
}

export type TestPlans = ReturnType<typeof plansOf>

/** A plan as it is sent back: what was read, changed or not. */
export const sentBack = (plan: Json) => ({
  version: plan.version,
  title: plan.title,
  description: plan.description,
  starts_on: plan.starts_on,
  ends_on: plan.ends_on,
  sessions: sessionsBack(plan),
})

export const sessionsBack = (plan: Json): Json[] =>
  plan.sessions.map(({ position: _session, exercises, ...one }: Json) => ({
    ...one,
    exercises: exercises.map(({ position: _exercise, exercise: _named, findings: _found, ...entry }: Json) => entry),
  }))
