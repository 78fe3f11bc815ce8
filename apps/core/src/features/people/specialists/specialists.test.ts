import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { scheduling } from '../../scheduling/scheduling.ts'

interface Clinic {
  id: string
  admin: Person
}

const at = (rest = '') => `/v1/specialists${rest}`
const namesOf = ({ body }: Answer) => body.data.map(({ name }: { name: string }) => name)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)
const HOURS = [{ day: 'monday', from: '09:00', to: '17:00' }]

describe('specialists', () => {
  let core: TestCore
  /** Specialist id → overrides, as scheduling would know them. */
  const overrides = new Map<string, object[]>()
  before(async () => {
    const listWeeklyHours = async () => HOURS
    const listOverrides = async (_tx: unknown, id: string) => overrides.get(id) ?? []
    core = await sharedCore({ services: { scheduling: { ...scheduling, listWeeklyHours, listOverrides } } })
  })
  after(() => core.close())

  const clinicOf = (values: object = {}) => core.organization({ plan: 'pro', ...values })
  const add = (clinic: Clinic, body: unknown, query = '') => core.post(at(query), { as: clinic.admin, body })
  const read = (clinic: Clinic, id: string, query = '', as = clinic.admin) => core.get(at(`/${id}${query}`), { as })
  const change = (clinic: Clinic, id: string, body: unknown, query = '') =>
    core.put(at(`/${id}${query}`), { as: clinic.admin, body })
  const remove = (clinic: Clinic, id: string, as = clinic.admin) => core.delete(at(`/${id}`), { as })
  const list = (clinic: Clinic, query = '', as = clinic.admin) => core.get(at(`?${query}`), { as })

  async function added(clinic: Clinic, name: string, values: object = {}) {
    const slug = name
      .normalize('NFD')
      .replace(/\P{ASCII}/gu, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
    const { status, body, text } = await add(clinic, { name, slug, ...values })
    assert.equal(status, 201, text)
    return body.data
  }

  async function specialty(clinic: Clinic, title: string, slug = title.toLowerCase()) {
    const { status, body, text } = await core.post('/v1/specialties', { as: clinic.admin, body: { title, slug } })
    assert.equal(status, 201, text)
    return { id: body.data.id, title, slug }
  }

  test('a new specialist is returned with all fields', async () => {
    const clinic = await clinicOf()
    const member = await core.memberWith(clinic, [])
    const given = {
      name: 'Ana Ionescu',
      slug: 'ana-ionescu',
      title: 'Fizioterapeut',
      registration_number: '12345',
      description: 'Recuperare',
      human_id: member.id,
      scheduling_timezone: 'Europe/Paris',
      scheduling_active: false,
      crm_name: 'A. Ionescu',
      meeting_url: null,
    }
    const { status, body, text } = await add(clinic, given)
    assert.equal(status, 201, text)
    const { id, created_at, updated_at, version, ...rest } = body.data
    assert.equal(version, 1)
    assert.deepEqual(rest, {
      ...given,
      organization_id: clinic.id,
      signature_url: null,
      avatar_url: null,
      deleted_at: null,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual((await read(clinic, id)).body.data, body.data)
  })

  test('omitted fields are null; scheduling is active, in the time zone of the organization', async () => {
    const clinic = await clinicOf({ time_zone: 'Europe/Lisbon' })
    const bare = await added(clinic, ' Ana ', { slug: 'a' })
    assert.deepEqual(
      [bare.name, bare.slug, bare.title, bare.description, bare.human_id, bare.crm_name],
      ['Ana', 'a', null, null, null, null],
    )
    assert.deepEqual([bare.scheduling_active, bare.scheduling_timezone], [true, 'Europe/Lisbon'])
  })

  test('a change affects the given fields only; null clears', async () => {
    const clinic = await clinicOf()
    const member = await core.memberWith(clinic, [])
    const created = await added(clinic, 'Ana', { title: 'Dr.', crm_name: 'A', human_id: member.id })
    const changed = await change(clinic, created.id, { name: 'Ana Pop', crm_name: null, scheduling_active: false })
    assert.equal(changed.status, 200, changed.text)
    const { updated_at, version, ...rest } = changed.body.data
    const { updated_at: earlier, version: first, ...original } = created
    assert.ok(version > first)
    assert.deepEqual(rest, { ...original, name: 'Ana Pop', crm_name: null, scheduling_active: false })
    assert.ok(updated_at > earlier)
    assert.equal((await change(clinic, created.id, { human_id: null })).body.data.human_id, null)
    assert.equal((await change(clinic, created.id, { slug: created.slug })).status, 200)
  })

  test('id, organization, times and files cannot be written (422)', async () => {
    const clinic = await clinicOf()
    const { id } = await added(clinic, 'Ana')
    for (const field of ['id', 'organization_id', 'created_at', 'updated_at', 'deleted_at', 'avatar_url']) {
      for (const answer of [
        await change(clinic, id, { name: 'Other', [field]: randomUUID() }),
        await add(clinic, { name: 'Other', slug: 'other', [field]: randomUUID() }),
      ]) {
        assert.equal(answer.status, 422)
        assert.deepEqual(Object.keys(answer.body.error.fields), [field])
      }
    }
    assert.equal((await change(clinic, id, {})).status, 422)
  })

  test('include adds the requested parts, on reads and writes; without it nothing is added', async () => {
    const clinic = await clinicOf()
    const member = await core.memberWith(clinic, [])
    const [sport, knee] = [await specialty(clinic, 'Sport'), await specialty(clinic, 'Genunchi')]
    const human = { id: member.id, name: member.name, email: member.email }
    const body = { name: 'Ana', slug: 'ana', human_id: member.id, specialty_ids: [sport.id, knee.id, sport.id] }
    const created = (await add(clinic, body, '?include=specialties')).body.data
    assert.deepEqual(created.specialties, [knee, sport], 'by title')
    const { id } = created
    overrides.set(id, [{ date: '2026-12-01' }])
    const all = (await read(clinic, id, '?include=specialties,human,weekly_hours,overrides,nonsense')).body.data
    assert.deepEqual(
      [all.specialties, all.human, all.weekly_hours, all.overrides],
      [[knee, sport], human, HOURS, [{ date: '2026-12-01' }]],
    )
    for (const answer of [await read(clinic, id), await change(clinic, id, { title: 'Dr.' })]) {
      for (const name of ['specialties', 'human', 'weekly_hours', 'overrides']) assert.ok(!(name in answer.body.data))
    }
    const listed = (await list(clinic, 'include=specialties,human,weekly_hours')).body.data[0]
    assert.deepEqual([listed.specialties, listed.human, 'weekly_hours' in listed], [[knee, sport], human, false])
    const viewer = await core.memberWith(clinic, ['specialists.view_org'])
    const outside = (await read(clinic, id, '?include=human', viewer)).body.data
    assert.deepEqual([outside.human_id, outside.human], [member.id, null], 'without the staff directory')
    const alone = await added(clinic, 'Dan')
    const empty = (await read(clinic, alone.id, '?include=specialties&include=human')).body.data
    assert.deepEqual([empty.specialties, empty.human], [[], null])
    assert.deepEqual(
      (await change(clinic, id, { specialty_ids: [knee.id] }, '?include=specialties')).body.data.specialties,
      [knee],
    )
    assert.deepEqual(
      (await change(clinic, id, { specialty_ids: [] }, '?include=specialties')).body.data.specialties,
      [],
    )
  })

  test('the list searches without accents, sorts and pages', async () => {
    const clinic = await clinicOf()
    await added(clinic, 'Șerban Popa', { title: 'Kinetoterapeut' })
    await added(clinic, 'Sorin Albu', { crm_name: 'S. Albu' })
    await added(clinic, 'Tudor Ion', { description: 'Recuperare după operații' })
    assert.deepEqual(namesOf(await list(clinic)), ['Tudor Ion', 'Sorin Albu', 'Șerban Popa'])
    assert.deepEqual(namesOf(await list(clinic, 'sort=-created_at')), ['Tudor Ion', 'Sorin Albu', 'Șerban Popa'])
    assert.deepEqual(namesOf(await list(clinic, 'sort=name')), ['Sorin Albu', 'Șerban Popa', 'Tudor Ion'])
    for (const [q, found] of Object.entries({
      SERBAN: ['Șerban Popa'],
      kineto: ['Șerban Popa'],
      's. albu': ['Sorin Albu'],
      operatii: ['Tudor Ion'],
      'sorin-albu': ['Sorin Albu'],
      '%': [],
    })) {
      assert.deepEqual(namesOf(await list(clinic, `q=${encodeURIComponent(q)}`)), found, q)
    }
    const page = await list(clinic, 'sort=name&limit=2&page=2')
    assert.deepEqual(namesOf(page), ['Tudor Ion'])
    assert.deepEqual(page.body.pagination, { page: 2, limit: 2, total: 3 })
    assert.deepEqual((await list(clinic, 'page=9')).body.pagination, { page: 9, limit: 50, total: 3 })
    assert.deepEqual(Object.keys((await list(clinic, 'sort=title')).body.error.fields), ['sort'])
  })

  test('ids narrows the list to the given ids; malformed ids are ignored', async () => {
    const [clinic, other] = [await clinicOf(), await clinicOf()]
    const [ana, dan] = [await added(clinic, 'Ana'), await added(clinic, 'Dan')]
    const foreign = await added(other, 'Ana')
    assert.deepEqual(namesOf(await list(clinic, `ids=${ana.id.toUpperCase()},nonsense,${foreign.id}`)), ['Ana'])
    assert.equal((await list(clinic, `ids=${ana.id},${dan.id}&q=da`)).body.pagination.total, 1)
    assert.deepEqual(namesOf(await list(clinic, 'ids=nonsense')), [])
  })

  test('the picker returns specialists that are not deleted, by name; ids win over q', async () => {
    const clinic = await clinicOf()
    const dan = await added(clinic, 'Dan', { title: 'Medic' })
    const ana = await added(clinic, 'Ana')
    const gone = await added(clinic, 'Gone')
    await remove(clinic, gone.id)
    const pick = (query = '') => core.get(at(`/picker?${query}`), { as: clinic.admin })
    assert.deepEqual((await pick()).body, {
      data: [
        { id: ana.id, name: 'Ana', title: null },
        { id: dan.id, name: 'Dan', title: 'Medic' },
      ],
    })
    assert.deepEqual(namesOf(await pick('q=medic')), ['Dan'])
    assert.deepEqual(namesOf(await pick(`ids=${ana.id},${gone.id},nonsense&q=medic`)), ['Ana'])
    assert.deepEqual(namesOf(await pick('limit=1')), ['Ana'])
  })

  test('deleting returns the time; deleted specialists are listed only with deleted=true and the permission', async () => {
    const clinic = await clinicOf()
    const [gone] = [await added(clinic, 'Gone'), await added(clinic, 'Here')]
    const { status, body } = await remove(clinic, gone.id)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['deleted_at', 'id', 'message'])
    assert.equal(body.id, gone.id)
    assert.match(body.message, /Gone/)
    assert.equal((await read(clinic, gone.id)).body.data.deleted_at, body.deleted_at)
    const [viewer, archivist] = await Promise.all([
      core.memberWith(clinic, ['specialists.view_org']),
      core.memberWith(clinic, ['specialists.view_org', 'data.view_deleted']),
    ])
    for (const as of [clinic.admin, viewer, archivist]) {
      for (const query of ['', 'deleted=false', 'deleted=perhaps']) {
        assert.deepEqual(namesOf(await list(clinic, query, as)), ['Here'], query)
      }
    }
    for (const as of [clinic.admin, archivist]) {
      assert.deepEqual(namesOf(await list(clinic, 'deleted=true', as)), ['Gone'])
      assert.deepEqual(namesOf(await list(clinic, 'deleted=true,false&sort=name', as)), ['Gone', 'Here'])
    }
    assert.deepEqual(namesOf(await list(clinic, 'deleted=true', viewer)), [])
    assert.equal((await read(clinic, gone.id, '', viewer)).body.error.code, 'specialist_not_found')
    assert.equal((await change(clinic, gone.id, { name: 'Back' })).body.error.code, 'specialist_not_found')
  })

  test('a deleted specialist frees its slug and its person', async () => {
    const clinic = await clinicOf()
    const { id: human_id } = await core.memberWith(clinic, [])
    const { id } = await added(clinic, 'Ana', { human_id })
    await remove(clinic, id)
    const again = await added(clinic, 'Ana', { human_id })
    assert.notEqual(again.id, id)
  })

  test('a member who leaves is unlinked from the specialist, who stays', async () => {
    const clinic = await clinicOf()
    const { id: human_id } = await core.memberWith(clinic, [])
    const { id } = await added(clinic, 'Ana', { human_id })
    const left = await core.delete(`/v1/organizations/${clinic.id}/members/${human_id}`, { as: clinic.admin })
    assert.equal(left.status, 204, left.text)
    const { name, human_id: after } = (await read(clinic, id)).body.data
    assert.deepEqual([name, after], ['Ana', null])
  })

  test('an invited person is linked to the specialist before and after they sign in', async () => {
    const clinic = await core.organization({ plan: 'pro' })
    const email = `invited-${randomUUID()}@mail.example`
    const unproven = await core.signIn({ email, email_verified: false, sub: email })
    const body = { email, name: 'Ina', role_id: clinic.roles.specialist }
    const invited = await core.post(`/v1/organizations/${clinic.id}/members`, { as: clinic.admin, body })
    const { user_id } = invited.body.data
    assert.notEqual(user_id, unproven.id)
    const { id } = await added(clinic, 'Ina', { human_id: user_id })
    assert.deepEqual((await read(clinic, id, '?include=human')).body.data.human, { id: user_id, name: 'Ina', email })
    const proven = await core.signIn({ email, email_verified: true, sub: email })
    assert.equal((await read(clinic, id)).body.data.human_id, proven.id)
  })

  test('reading needs specialists.view_org, writing specialists.manage (403)', async () => {
    const clinic = await clinicOf()
    const { id } = await added(clinic, 'Ana')
    const viewer = await core.memberWith(clinic, ['specialists.view_org'])
    const manager = await core.memberWith(clinic, ['specialists.manage'])
    assert.equal((await read(clinic, id, '?include=human,specialties', viewer)).status, 200)
    const body = { name: 'Dan', slug: 'dan' }
    for (const [required, refused] of [
      ['specialists.view_org', await list(clinic, '', manager)],
      ['specialists.view_org', await core.get(at('/picker'), { as: manager })],
      ['specialists.view_org', await read(clinic, id, '', manager)],
      ['specialists.manage', await core.post(at(), { as: viewer, body })],
      ['specialists.manage', await core.put(at(`/${id}`), { as: viewer, body })],
      ['specialists.manage', await remove(clinic, id, viewer)],
    ] as const) {
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.required],
        [403, 'forbidden', required],
      )
    }
    assert.equal((await core.post(at('?include=specialties'), { as: manager, body })).status, 201)
    assert.equal((await core.put(at(`/${id}`), { as: manager, body: { name: 'Ion' } })).status, 200)
    assert.equal((await remove(clinic, id, manager)).status, 200)
    const operator = await core.superadmin()
    assert.equal((await core.post(at(), { as: operator, body })).body.error.code, 'forbidden')
  })

  test("another organization's specialist is not found on any route", async () => {
    const [clinic, other] = [await clinicOf(), await clinicOf()]
    const { id } = await added(other, 'Ana')
    for (const unknown of [id, randomUUID(), 'not-an-id']) {
      const answers = [
        await read(clinic, unknown),
        await change(clinic, unknown, { name: 'Mine' }),
        await remove(clinic, unknown),
      ]
      const code = unknown === 'not-an-id' ? 'not_found' : 'specialist_not_found'
      for (const answer of answers) assert.deepEqual([answer.status, answer.body.error.code], [404, code])
    }
    const headers = { 'x-organization-id': other.id }
    assert.equal((await core.get(at(`/${id}`), { as: clinic.admin, headers })).status, 403)
    assert.deepEqual(namesOf(await core.get(at(`/picker?ids=${id}`), { as: clinic.admin })), [])
    assert.equal((await read(other, id)).body.data.name, 'Ana')
  })

  test('a repeated Idempotency-Key returns the same specialist', async () => {
    const clinic = await clinicOf()
    const headers = { 'idempotency-key': 'once' }
    const send = () => core.post(at(), { as: clinic.admin, body: { name: 'Ana', slug: 'ana' }, headers })
    const answers = await Promise.all([send(), send()])
    assert.deepEqual(statusesOf(answers), [201, 201])
    assert.equal(answers[0]?.text, answers[1]?.text)
  })

  test('parallel changes of the specialties leave exactly one of the sets', async () => {
    const clinic = await clinicOf()
    const sets = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (slug) => {
        const pair = [await specialty(clinic, `${slug}1`), await specialty(clinic, `${slug}2`)]
        return pair.map(({ id }) => id)
      }),
    )
    const { id } = await added(clinic, 'Ana')
    await Promise.all(sets.map((specialty_ids) => change(clinic, id, { specialty_ids })))
    const { specialties } = (await read(clinic, id, '?include=specialties')).body.data
    const left = new Set(specialties.map((one: { id: string }) => one.id))
    assert.equal(left.size, 2)
    assert.ok(sets.some((set) => set.every((one) => left.has(one))))
  })

  test('every write leaves an audit row with what changed, and an event', async () => {
    const clinic = await clinicOf()
    const { id: specialtyId } = await specialty(clinic, 'Sport')
    const { id } = await added(clinic, 'Ana')
    await change(clinic, id, { specialty_ids: [specialtyId] }, '?include=human,specialties')
    await remove(clinic, id)
    await remove(clinic, id)
    const log = await core.get('/v1/audit-logs?target_type=specialist&sort=occurred_at', { as: clinic.admin })
    const entries = log.body.data.map((entry: Record<string, unknown>) => [entry.action, entry.crud, entry.changes])
    assert.deepEqual(
      entries.map(([action, crud]: string[]) => [action, crud]),
      [
        ['specialists.create', 'C'],
        ['specialists.update', 'U'],
        ['specialists.delete', 'D'],
      ],
    )
    assert.deepEqual(entries[1][2], [{ field: 'specialty_ids', before: [], after: [specialtyId] }])
    assert.deepEqual(
      entries[2][2].map(({ field }: { field: string }) => field),
      ['deleted_at'],
    )
    const events = await core.database.query(
      `select type, payload from outbox_events where organization_id = $1 and type like 'specialist.%' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(
      events,
      ['created', 'updated', 'deleted'].map((what) => ({ type: `specialist.${what}`, payload: { specialist_id: id } })),
    )
  })
})
