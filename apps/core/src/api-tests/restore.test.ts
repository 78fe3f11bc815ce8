import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, startCore, type TestCore } from '../testing/core.ts'

type Clinic = Awaited<ReturnType<TestCore['organization']>>

interface Restorable {
  /** The URL of the list; the URL of one row is `<list>/<id>`. */
  path: (clinic: Clinic) => string
  table: string
  entity: string
  body: Record<string, unknown>
  /** The delete permission, and the permissions that the caller also needs to see the row. */
  codes: string[]
  /** The refusal when another row has taken a unique value; undefined when the table has no unique value. */
  taken?: string
}

const RESTORABLES: Restorable[] = [
  {
    path: ({ id }) => `/v1/organizations/${id}/locations`,
    table: 'locations',
    entity: 'location',
    body: { name: 'Centru' },
    codes: ['locations.manage'],
    taken: 'location_name_taken',
  },
  {
    path: () => '/v1/specialists',
    table: 'specialists',
    entity: 'specialist',
    body: { name: 'Ana', slug: 'ana' },
    codes: ['specialists.manage', 'specialists.view_org'],
    taken: 'slug_exists',
  },
  {
    path: () => '/v1/custom-fields',
    table: 'custom_fields',
    entity: 'custom_field',
    body: { entity_type: 'patient', key: 'sport', label: 'Sport', field_type: 'text' },
    codes: ['custom_fields.manage', 'custom_fields.view'],
    taken: 'key_taken',
  },
  {
    path: () => '/v1/form-templates',
    table: 'form_templates',
    entity: 'form_template',
    body: { title: 'Intake', type: 'intake', fields: [{ key: 'q', type: 'text', label: 'Q' }] },
    codes: ['form_templates.manage'],
  },
  {
    path: () => '/v1/pdf-templates',
    table: 'pdf_templates',
    entity: 'pdf_template',
    body: { name: 'Letter', kind: 'appointment_letter', language: 'en', blocks: [{ type: 'heading', text: 'Hello' }] },
    codes: ['pdf_templates.manage'],
  },
  {
    path: () => '/v1/exercises',
    table: 'exercises',
    entity: 'exercise',
    body: { name: 'Squat', slug: 'own-squat' },
    codes: ['exercises.manage_org', 'exercises.view_published'],
    taken: 'slug_exists',
  },
  {
    path: () => '/v1/programs',
    table: 'programs',
    entity: 'program',
    body: { name: 'Knees', sessions: [] },
    codes: ['treatment_plans.manage', 'treatment_plans.view_org'],
    taken: 'program_name_taken',
  },
  {
    path: () => '/v1/services',
    table: 'services',
    entity: 'service',
    body: { name: 'Visit', slug: 'visit', duration_minutes: 30 },
    codes: ['services.manage', 'services.view_org'],
    taken: 'slug_exists',
  },
  {
    path: () => '/v1/service-plans',
    table: 'service_plans',
    entity: 'service_plan',
    body: { name: 'Ten', price_cents: 100, items: [] },
    codes: ['services.manage', 'services.view_org'],
  },
  {
    path: () => '/v1/products',
    table: 'products',
    entity: 'product',
    body: { sku: 'B1', name: 'Band', price_cents: 100 },
    codes: ['services.manage', 'services.view_org'],
    taken: 'sku_exists',
  },
]

/** The code of a refusal, in either of the two error shapes. */
const codeOf = ({ body }: Answer) => body.error?.code ?? body.details?.reason ?? body.name

const idsOf = ({ body }: Answer): string[] =>
  ((body.data ?? body.fields ?? body.exercises) as { id: string }[]).map(({ id }) => id)

describe('restore', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  async function made({ path, body }: Restorable, clinic: Clinic): Promise<string> {
    const created = await core.post(path(clinic), { as: clinic.admin, body })
    assert.equal(created.status, 201, created.text)
    return created.body.data.id
  }

  async function madeAndDeleted(kind: Restorable, clinic: Clinic): Promise<string> {
    const url = `${kind.path(clinic)}/${await made(kind, clinic)}`
    const deleted = await core.delete(url, { as: clinic.admin })
    assert.ok(deleted.status < 300, deleted.text)
    return url
  }

  for (const kind of RESTORABLES) {
    test(`a deleted row of ${kind.table} is listed with deleted=true and can be restored once, with an audit entry and an event`, async () => {
      const clinic = await core.organization()
      const url = await madeAndDeleted(kind, clinic)
      const id = url.split('/').at(-1) ?? ''
      const as = await core.memberWith(clinic, [...kind.codes, 'data.view_deleted'])
      assert.deepEqual(idsOf(await core.get(`${kind.path(clinic)}?deleted=true`, { as: clinic.admin })), [id])
      const answers = await Promise.all([1, 2, 3].map(() => core.post(`${url}/restore`, { as })))
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 409, 409],
        answers.map(({ text }) => text).join(),
      )
      const lost = answers.find(({ status }) => status === 409)
      assert.equal(lost && codeOf(lost), 'not_deleted')
      const won = answers.find(({ status }) => status === 200)
      const read = await core.get(url, { as: clinic.admin })
      assert.deepEqual([read.status, read.body.data], [200, won?.body.data])
      assert.deepEqual(idsOf(await core.get(`${kind.path(clinic)}?deleted=true`, { as: clinic.admin })), [])
      const entries = await core.database.query(
        `select action, crud, actor_principal_id from audit_log where organization_id = $1 and target_id = $2
         and action like '%.restore'`,
        [clinic.id, id],
      )
      assert.deepEqual(entries, [{ action: `${kind.table}.restore`, crud: 'U', actor_principal_id: as.id }])
      const events = await core.database.query<{ payload: Record<string, unknown> }>(
        'select payload from outbox_events where organization_id = $1 and type = $2',
        [clinic.id, `${kind.entity}.restored`],
      )
      assert.deepEqual(
        events.map(({ payload }) => payload[`${kind.entity}_id`]),
        [id],
      )
    })

    test(`restoring in ${kind.table} needs the delete permission and data.view_deleted (403), in the same clinic (404)`, async () => {
      const [clinic, other] = [await core.organization(), await core.organization()]
      const url = await madeAndDeleted(kind, clinic)
      for (const codes of [kind.codes, ['data.view_deleted', ...kind.codes.slice(1)]]) {
        const refused = await core.post(`${url}/restore`, { as: await core.memberWith(clinic, codes) })
        assert.equal(refused.status, 403, `${codes.join()} ${refused.text}`)
      }
      const foreign = await core.post(`${url.replace(clinic.id, other.id)}/restore`, { as: other.admin })
      assert.equal(foreign.status, 404, foreign.text)
      const unknown = await core.post(`${kind.path(clinic)}/${randomUUID()}/restore`, { as: clinic.admin })
      assert.equal(unknown.status, 404)
      const viewer = await core.memberWith(clinic, kind.codes)
      const hidden = idsOf(await core.get(`${kind.path(clinic)}?deleted=true`, { as: viewer }))
      assert.deepEqual(hidden, kind.table === 'specialists' ? [url.split('/').at(-1)] : [])
    })

    test(`a deletion in ${kind.table} older than 30 days cannot be undone (409 restore_expired)`, async () => {
      const clinic = await core.organization()
      const url = await madeAndDeleted(kind, clinic)
      const age = (days: number) =>
        core.database.query(`update ${kind.table} set deleted_at = now() - make_interval(days => $2) where id = $1`, [
          url.split('/').at(-1),
          days,
        ])
      await age(31)
      const late = await core.post(`${url}/restore`, { as: clinic.admin })
      assert.deepEqual([late.status, codeOf(late)], [409, 'restore_expired'])
      await age(29)
      assert.equal((await core.post(`${url}/restore`, { as: clinic.admin })).status, 200)
    })

    if (kind.taken !== undefined)
      test(`a row of ${kind.table} whose unique value was taken cannot be restored (409 ${kind.taken})`, async () => {
        const clinic = await core.organization()
        const url = await madeAndDeleted(kind, clinic)
        await made(kind, clinic)
        const refused = await core.post(`${url}/restore`, { as: clinic.admin })
        assert.deepEqual([refused.status, codeOf(refused)], [409, kind.taken], refused.text)
      })
  }

  test('a restored specialist counts against the plan again (403 limit_exceeded)', async () => {
    const clinic = await core.organization()
    const specialist = (slug: string) => core.post('/v1/specialists', { as: clinic.admin, body: { name: slug, slug } })
    const { id } = (await specialist('one')).body.data
    assert.equal((await core.delete(`/v1/specialists/${id}`, { as: clinic.admin })).status, 200)
    for (const slug of ['two', 'three']) assert.equal((await specialist(slug)).status, 201)
    const refused = await core.post(`/v1/specialists/${id}/restore`, { as: clinic.admin })
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'limit_exceeded'], refused.text)
    assert.equal(refused.body.error.limit.name, 'max_specialists')
  })

  test('a superadmin restores an exercise of the platform; a clinic cannot', async () => {
    const [operator, clinic] = [await core.superadmin(), await core.organization()]
    const body = { name: 'Lift', slug: `lift-${randomUUID()}` }
    const { id } = (await core.post('/v1/exercises', { as: operator, body })).body.data
    assert.equal((await core.delete(`/v1/exercises/${id}`, { as: operator })).status, 204)
    assert.equal((await core.post(`/v1/exercises/${id}/restore`, { as: clinic.admin })).status, 404)
    const restored = await core.post(`/v1/exercises/${id}/restore`, { as: operator })
    assert.equal(restored.status, 200, restored.text)
  })
})
