import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { AXES, type Axis } from './axes.ts'

// What all axes share is tested by a loop over their table; what only one has, below it.

const BY_CLINICS = AXES.filter(({ ofClinics }) => ofClinics)
const BY_PLATFORM = AXES.filter(({ ofClinics }) => !ofClinics)

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]
const slugsOf = (tags: Json[]): string[] => tags.map(({ slug }) => slug)
const axisOf = (name: string): Axis => AXES.find((axis) => axis.name === name) ?? assert.fail(name)

describe('taxonomy', () => {
  let core: TestCore
  let clinic: TestOrganization
  let other: TestOrganization
  let operator: Person
  before(async () => {
    core = await startCore()
    clinic = await core.organization()
    other = await core.organization()
    operator = await core.superadmin()
  })
  after(() => core.close())

  let count = 0
  /** The least that the axis takes. */
  const fresh = (axis: Axis, values: object = {}) => {
    count += 1
    const own = axis.name === 'body_region' ? { body_area: 'core' } : {}
    return { slug: `value-${count}`, name: `Value ${count}`, ...own, ...values }
  }
  const add = (axis: Axis, as: Person, values: object = {}) => core.post(axis.path, { as, body: fresh(axis, values) })
  async function added(axis: Axis, as: Person, values: object = {}): Promise<Json> {
    const { status, body, text } = await add(axis, as, values)
    assert.equal(status, 201, text)
    return body.data
  }
  const change = (axis: Axis, id: string, as: Person, body: unknown) =>
    core.call(axis.change, `${axis.path}/${id}`, { as, body })
  const deprecate = (axis: Axis, id: string, as: Person, replaced_by_id?: string) =>
    core.post(`${axis.path}/${id}/deprecate`, { as, ...(replaced_by_id ? { body: { replaced_by_id } } : {}) })
  const remove = (axis: Axis, id: string, as: Person) => core.delete(`${axis.path}/${id}`, { as })
  const list = async (axis: Axis, as: Person, query = ''): Promise<Json[]> => {
    const { status, body, text } = await core.get(`${axis.path}?${query}`, { as })
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(body), [axis.plural])
    return body[axis.plural]
  }
  const trail = (id: string) =>
    core.database.query(
      `select organization_id, action, crud from audit_log where target_type = 'taxonomy_tag' and target_id = $1 order by occurred_at`,
      [id],
    )

  test('the responses have the keys of the specification', () => {
    assert.deepEqual(
      AXES.map(({ path, plural }) => [path.slice('/v1/exercise-'.length), plural]),
      [
        ['categories', 'categories'],
        ['body-regions', 'body_regions'],
        ['equipment', 'equipment'],
        ['movement-patterns', 'movement_patterns'],
        ['recovery-phases', 'recovery_phases'],
        ['conditions', 'conditions'],
        ['skill-prerequisites', 'skill_prerequisites'],
      ],
    )
  })

  test('every signed-in person can read: members, patients, people without a clinic, superadmins', async () => {
    const patient = await core.signIn()
    await core.acceptAll(await core.patient(clinic, patient))
    const readers = [await core.memberWith(clinic, []), patient, await core.signIn(), operator]
    for (const axis of AXES) {
      const [first] = await list(axis, clinic.admin, 'scope=global&limit=1')
      for (const as of readers) {
        assert.ok((await list(axis, as)).length > 4, axis.name)
        assert.deepEqual((await core.get(`${axis.path}/${first.id}`, { as })).body.data, first)
      }
    }
  })

  for (const axis of AXES) {
    test(`${axis.many}: a superadmin adds, changes and deprecates the platform’s, which every clinic sees`, async () => {
      const values = { description: 'What it is', sort_order: 7, translations: { ro: { name: 'Valoare' } } }
      const created = await added(axis, operator, values)
      const { id, slug, name, created_at, updated_at, version, ...rest } = created
      assert.equal(version, 1)
      assert.partialDeepStrictEqual(rest, {
        ...values,
        organization_id: null,
        status: 'active',
        deprecated_at: null,
        replaced_by_id: null,
      })
      assert.equal(created_at, updated_at)
      for (const as of [clinic.admin, other.admin])
        assert.deepEqual((await core.get(`${axis.path}/${id}`, { as })).body.data, created)

      const changed = await change(axis, id, operator, {
        sort_order: 8,
        description: null,
        translations: {},
        slug,
        name,
      })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(
        { ...changed.body.data, updated_at: null, version: 2 },
        { ...created, sort_order: 8, description: null, translations: {}, updated_at: null, version: 2 },
      )

      const deprecated = await deprecate(axis, id, operator)
      assert.equal(deprecated.status, 200, deprecated.text)
      assert.equal(deprecated.body.data.status, 'deprecated')
      assert.ok(deprecated.body.data.deprecated_at)
      const entry = (what: string, crud: string) => ({ organization_id: null, action: `taxonomy_tags.${what}`, crud })
      assert.deepEqual(await trail(id), [entry('create', 'C'), entry('update', 'U'), entry('deprecate', 'U')])
      const events = await core.database.query(
        `select organization_id, type, payload from outbox_events where payload ->> 'taxonomy_tag_id' = $1 order by occurred_at`,
        [id],
      )
      assert.deepEqual(
        events,
        ['created', 'updated', 'deprecated'].map((what) => ({
          organization_id: null,
          type: `taxonomy_tag.${what}`,
          payload: { taxonomy_tag_id: id, axis: axis.name },
        })),
      )
    })

    test(`${axis.many}: a clinic cannot change the platform’s values (403)`, async () => {
      const { id } = await added(axis, operator)
      const refused = [await change(axis, id, clinic.admin, { sort_order: 1 }), await deprecate(axis, id, clinic.admin)]
      if (axis.change === 'PUT') refused.push(await remove(axis, id, clinic.admin))
      for (const answer of refused) assert.deepEqual(codeOf(answer), [403, 'forbidden'], answer.text)
      assert.equal((await core.get(`${axis.path}/${id}`, { as: clinic.admin })).body.data.status, 'active')
      assert.deepEqual(await trail(id), [{ organization_id: null, action: 'taxonomy_tags.create', crud: 'C' }])
    })

    test(`${axis.many}: slug and name cannot be changed, each with its reason (422)`, async () => {
      const { id, slug, name } = await added(axis, operator)
      const { status, body } = await change(axis, id, operator, { slug: 'other', name: 'Other', sort_order: 3 })
      assert.deepEqual([status, Object.keys(body.error.fields).sort()], [422, ['name', 'slug']])
      assert.match(body.error.fields.name, /create a replacement, then deprecate this one/)
      for (const bad of [{}, { organization_id: clinic.id }, { deprecated_at: null }, { translations: { fr: {} } }])
        assert.equal((await change(axis, id, operator, bad)).status, 422, JSON.stringify(bad))
      assert.equal((await change(axis, id, operator, { slug, name: ` ${name} ` })).status, 200)
    })

    test(`${axis.many}: of parallel creations with one slug one wins; a deprecated value keeps its slug (409)`, async () => {
      const slug = `only-${axis.name}`
      const answers = await Promise.all(Array.from({ length: 4 }, () => add(axis, operator, { slug })))
      assert.deepEqual(statusesOf(answers), [201, 409, 409, 409])
      assert.deepEqual(codeOf(answers.find(({ status }) => status === 409) ?? assert.fail()), [409, 'slug_exists'])
      const winner = answers.find(({ status }) => status === 201)?.body.data
      await deprecate(axis, winner.id, operator)
      assert.deepEqual(codeOf(await add(axis, operator, { slug })), [409, 'slug_exists'])
      const elsewhere = AXES.find(({ name, change: how }) => name !== axis.name && how === axis.change) ?? assert.fail()
      await added(elsewhere, operator, { slug })
    })

    test(`${axis.many}: a deprecated value is not listed; its replacement can be set at once or later`, async () => {
      const [old, next] = [await added(axis, operator), await added(axis, operator)]
      const first = (await deprecate(axis, old.id, operator)).body.data
      assert.equal(first.replaced_by_id, null)
      const second = (await deprecate(axis, old.id, operator, next.id)).body.data
      assert.deepEqual([second.replaced_by_id, second.deprecated_at], [next.id, first.deprecated_at])
      const third = (await deprecate(axis, old.id, operator)).body.data
      assert.equal(third.replaced_by_id, next.id)

      const offered = async (query: string) => slugsOf(await list(axis, clinic.admin, `limit=500&${query}`))
      assert.ok(!(await offered('')).includes(old.slug))
      assert.ok((await offered('deprecated=true')).includes(old.slug))
      assert.ok(!(await offered('deprecated=true')).includes(next.slug))
      const both = await offered('deprecated=true,false')
      assert.ok(both.includes(old.slug) && both.includes(next.slug))
      assert.deepEqual((await core.get(`${axis.path}/${old.id}`, { as: clinic.admin })).body.data, third)
    })

    test(`${axis.many}: a replacement is another value of the same axis, and replacements form no cycle`, async () => {
      const [a, b] = [await added(axis, operator), await added(axis, operator)]
      const foreign = await added(axis.name === 'condition' ? axisOf('equipment') : axisOf('condition'), operator)
      for (const id of [randomUUID(), foreign.id])
        assert.deepEqual(codeOf(await deprecate(axis, a.id, operator, id)), [404, 'replacement_not_found'])
      assert.deepEqual(codeOf(await deprecate(axis, a.id, operator, a.id)), [409, 'replacement_cycle'])
      const raced = await Promise.all([deprecate(axis, a.id, operator, b.id), deprecate(axis, b.id, operator, a.id)])
      assert.deepEqual(statusesOf(raced), [200, 409])
    })

    test(`${axis.many}: bad fields are refused, each with its reason (422)`, async () => {
      const { status, body } = await core.post(axis.path, {
        as: operator,
        body: { slug: 'Not A Slug', name: ' ', sort_order: 1.5, translations: { ro: 'x' }, organization_id: clinic.id },
      })
      assert.equal(status, 422)
      const required = axis.name === 'body_region' ? ['body_area'] : []
      assert.deepEqual(
        Object.keys(body.error.fields).sort(),
        [...required, 'name', 'organization_id', 'slug', 'sort_order', 'translations.ro'].sort(),
      )
    })

    test(`${axis.many}: a repeated Idempotency-Key returns the same value`, async () => {
      const as = axis.ofClinics ? clinic.admin : operator
      const body = fresh(axis)
      const send = () => core.post(axis.path, { as, body, headers: { 'idempotency-key': `once-${axis.name}` } })
      const answers = await Promise.all([send(), send()])
      assert.deepEqual(statusesOf(answers), [201, 201])
      assert.equal(answers[0]?.text, answers[1]?.text)
    })
  }

  for (const axis of BY_PLATFORM) {
    test(`${axis.many}: members of an organization cannot write, whatever permissions they hold (403)`, async () => {
      const holder = await core.memberWith(clinic, ['catalog.tags:write', 'catalog.tags:write_private'])
      for (const as of [clinic.admin, holder, await core.signIn()]) {
        const { status, body } = await add(axis, as)
        assert.deepEqual([status, body.error.code, body.error.required], [403, 'forbidden', 'catalog.tags:write'])
      }
      assert.deepEqual(await list(axis, clinic.admin, 'scope=org'), [])
    })
  }

  for (const axis of BY_CLINICS) {
    test(`${axis.many}: a clinic has its own values, which no other clinic can access`, async () => {
      const taken = await added(axis, operator)
      const own = await added(axis, clinic.admin, { slug: taken.slug, name: 'Own' })
      assert.equal(own.organization_id, clinic.id)
      await added(axis, other.admin, { slug: taken.slug })
      assert.deepEqual(codeOf(await add(axis, clinic.admin, { slug: taken.slug })), [409, 'slug_exists'])

      const seen = async (as: Person, scope: string) =>
        (await list(axis, as, `limit=500&scope=${scope}`)).map(({ id }) => id)
      for (const scope of ['all', 'org', 'org,global', 'nonsense', ''])
        assert.ok((await seen(clinic.admin, scope)).includes(own.id), scope)
      assert.ok((await seen(clinic.admin, 'all')).includes(taken.id))
      assert.ok(!(await seen(clinic.admin, 'org')).includes(taken.id))
      assert.ok(!(await seen(clinic.admin, 'global')).includes(own.id))
      for (const as of [other.admin, operator, await core.signIn()]) {
        assert.ok(!(await seen(as, 'all')).includes(own.id))
        assert.deepEqual(codeOf(await core.get(`${axis.path}/${own.id}`, { as })), [404, 'tag_not_found'])
      }
      for (const as of [other.admin, operator]) {
        const answers = [await change(axis, own.id, as, { sort_order: 1 }), await deprecate(axis, own.id, as)]
        if (axis.change === 'PUT') answers.push(await remove(axis, own.id, as))
        for (const answer of answers) assert.deepEqual(codeOf(answer), [404, 'tag_not_found'])
      }
      const theirs = await added(axis, other.admin)
      assert.deepEqual(codeOf(await deprecate(axis, own.id, clinic.admin, theirs.id)), [404, 'replacement_not_found'])
      assert.equal((await deprecate(axis, own.id, clinic.admin, taken.id)).body.data.replaced_by_id, taken.id)
      assert.deepEqual(codeOf(await deprecate(axis, taken.id, operator, own.id)), [404, 'replacement_not_found'])
      const entry = (what: string, crud: string) => ({
        organization_id: clinic.id,
        action: `taxonomy_tags.${what}`,
        crud,
      })
      assert.deepEqual(await trail(own.id), [entry('create', 'C'), entry('deprecate', 'U')])
    })

    test(`${axis.many}: writing needs catalog.tags:write_private (403)`, async () => {
      const { id } = await added(axis, clinic.admin)
      const reader = await core.memberWith(clinic, ['exercises.manage_org', 'catalog.tags:write'])
      for (const answer of [
        await add(axis, reader),
        await change(axis, id, reader, { sort_order: 1 }),
        await deprecate(axis, id, reader),
      ]) {
        assert.deepEqual([answer.status, answer.body.error.required], [403, 'catalog.tags:write_private'])
      }
      const writer = await core.memberWith(clinic, ['catalog.tags:write_private'])
      assert.equal((await change(axis, id, writer, { sort_order: 1 })).body.data.sort_order, 1)
    })
  }

  test('values used by patient records and programs can be deprecated, not deleted (405)', async () => {
    for (const axis of AXES.filter(({ change: how }) => how === 'PATCH')) {
      const { id } = await added(axis, operator)
      assert.equal((await remove(axis, id, operator)).status, 405)
      assert.equal((await core.put(`${axis.path}/${id}`, { as: operator, body: { sort_order: 1 } })).status, 405)
    }
  })

  test('a deleted value is gone; it cannot be changed or deleted again', async () => {
    for (const axis of AXES.filter(({ change: how }) => how === 'PUT')) {
      const { id } = await added(axis, operator)
      const answers = await Promise.all([remove(axis, id, operator), remove(axis, id, operator)])
      assert.deepEqual(statusesOf(answers), [204, 404])
      assert.deepEqual(codeOf(await change(axis, id, operator, { sort_order: 1 })), [404, 'tag_not_found'])
      assert.deepEqual((await trail(id)).at(-1), { organization_id: null, action: 'taxonomy_tags.delete', crud: 'D' })
    }
  })
})
