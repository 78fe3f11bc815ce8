import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TaxonomyAxis } from '@tendon/contracts'
import type { Answer, Json, Person, TestCore } from '../../../testing/core.ts'

/** What tests of the exercise library make: exercises through the API, taxonomy values by SQL. */
export function libraryOf(core: TestCore) {
  const create = (as: Person, body: Record<string, unknown> = {}): Promise<Answer> =>
    core.post('/v1/exercises', { as, body: { name: 'Squat', slug: `squat-${randomUUID().slice(0, 13)}`, ...body } })

  async function exercise(as: Person, body: Record<string, unknown> = {}): Promise<Json> {
    const { status, body: answer, text } = await create(as, body)
    assert.equal(status, 201, text)
    return answer.data
  }

  const read = (as: Person, id: string) => core.get(`/v1/exercises/${id}`, { as })

  async function instruction(as: Person, id: string, body: Record<string, unknown> = {}): Promise<Json> {
    const sent = { sort_order: 1, content: 'Stand with your feet apart.', instruction_type: 'step', ...body }
    const answer = await core.post(`/v1/exercises/${id}/instructions`, { as, body: sent })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }

  /** An exercise that everybody sees. */
  async function published(as: Person, body: Record<string, unknown> = {}): Promise<Json> {
    const { id } = await exercise(as, body)
    await instruction(as, id)
    const answer = await core.put(`/v1/exercises/${id}/status`, { as, body: { status: 'published' } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  /** A value of the clinic's own, or (null) of the platform. */
  async function tag(axis: TaxonomyAxis, organizationId: string | null = null, name = 'Knee'): Promise<string> {
    const [row] = await core.database.query<{ id: string }>(
      `insert into taxonomy_tags (organization_id, axis, slug, name, body_area) values ($1, $2, $3, $4, $5) returning id`,
      [organizationId, axis, `tag-${randomUUID()}`, name, axis === 'body_region' ? 'lower_body' : null],
    )
    assert.ok(row)
    return row.id
  }

  const audited = (exerciseId: string) =>
    core.database.query<{ action: string; organization_id: string | null; actor_type: string }>(
      `select action, organization_id, actor_type from audit_log where target_type = 'exercise' and target_id = $1
       order by occurred_at`,
      [exerciseId],
    )

  const events = (exerciseId: string) =>
    core.database.query<{ type: string; organization_id: string | null; payload: Json }>(
      `select type, organization_id, payload from outbox_events where payload ->> 'exercise_id' = $1 order by occurred_at`,
      [exerciseId],
    )

  return { create, exercise, read, instruction, published, tag, audited, events }
}

export type TestLibrary = ReturnType<typeof libraryOf>

/** Status and code of a refusal. */
export const refused = ({ status, body }: Answer) => [status, body.error?.code]

/** Of answers that came in any order. */
export const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
