import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../testing/core.ts'

interface Edited {
  /** The URL of one row. */
  url: string
  method: 'put' | 'patch'
  /** A change that can be repeated. */
  change: (n: number) => Record<string, unknown>
  member: 'version' | 'revision'
}

describe('versions', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function made(clinic: { admin: { token: string } }, path: string, body: unknown) {
    const { status, body: answer, text, headers } = await core.post(path, { as: clinic.admin, body })
    assert.equal(status, 201, text)
    const row = answer.data ?? answer
    assert.equal(headers.get('etag'), `"${row.revision ?? row.version}"`, `ETag of ${path}`)
    return row
  }

  /** One row of every versioned table. */
  async function everything(clinic: Awaited<ReturnType<TestCore['organization']>>): Promise<Edited[]> {
    await core.publishNotice(clinic)
    const organization = `/v1/organizations/${clinic.id}`
    const named = (n: number) => ({ name: `Name ${n}` })
    const location = await made(clinic, `${organization}/locations`, named(0))
    const role = await made(clinic, `${organization}/roles`, { name: 'Desk', permissions: [] })
    const account = await made(clinic, `${organization}/service-accounts`, { name: 'Robot', role_id: role.id })
    const patient = await made(clinic, '/v1/patients', { first_name: 'Ion', last_name: 'Pop' })
    const specialty = await made(clinic, '/v1/specialties', { title: 'Knees', slug: 'knees' })
    const specialist = await made(clinic, '/v1/specialists', { name: 'Ana', slug: 'ana' })
    const field = await made(clinic, '/v1/custom-fields', {
      entity_type: 'patient',
      key: 'sport',
      label: 'Sport',
      field_type: 'text',
    })
    const fields = [{ key: 'q', type: 'text', label: 'Q' }]
    const template = await made(clinic, '/v1/form-templates', { title: 'Intake', type: 'intake', fields })
    const rules = [{ source: 'profile', custom_field_id: field.id, op: 'is_set' }]
    const segment = await made(clinic, '/v1/segments', { name: 'S', match_mode: 'all', rules })
    const exercise = await made(clinic, '/v1/exercises', { name: 'Squat', slug: 'squat' })
    const instruction = await made(clinic, `/v1/exercises/${exercise.id}/instructions`, {
      instruction_type: 'step',
      content: 'Bend',
      sort_order: 1,
    })
    const category = await made(clinic, '/v1/exercise-categories', { slug: 'own', name: 'Own' })
    const program = await made(clinic, '/v1/programs', { name: 'Program', sessions: [] })
    const service = await made(clinic, '/v1/services', { name: 'Visit', slug: 'visit', duration_minutes: 30 })
    const plan = await made(clinic, '/v1/service-plans', { name: 'Ten', price_cents: 100, items: [] })
    const product = await made(clinic, '/v1/products', { sku: 'B1', name: 'Band', price_cents: 100 })
    const calendar = await made(clinic, '/v1/calendars', { specialist_id: specialist.id, name: 'Week' })
    const closure = await made(clinic, '/v1/closures', { date: '2030-01-01', name: 'New year' })
    const edited = (
      method: 'put' | 'patch',
      url: string,
      change: Edited['change'] = named,
      member: Edited['member'] = 'version',
    ): Edited => ({ method, url, change, member })
    return [
      edited('patch', organization),
      edited('patch', `${organization}/locations/${location.id}`),
      edited('patch', `${organization}/roles/${role.id}`),
      edited('put', `${organization}/roles/${role.id}/permissions`, (n) => ({
        permissions: n % 2 ? ['organizations.view_directory'] : [],
      })),
      edited('patch', `${organization}/service-accounts/${account.id}`),
      edited('put', `/v1/patients/${patient.id}`, (n) => ({ first_name: `Ion ${n}`, last_name: 'Pop' })),
      edited('put', `/v1/specialties/${specialty.id}`, (n) => ({ title: `Knees ${n}` })),
      edited('put', `/v1/specialists/${specialist.id}`),
      edited('put', `/v1/custom-fields/${field.id}`, (n) => ({ label: `Sport ${n}` }), 'revision'),
      edited(
        'put',
        `/v1/form-templates/${template.id}`,
        (n) => ({ title: `Intake ${n}`, type: 'intake', fields }),
        'revision',
      ),
      edited('put', `/v1/segments/${segment.id}`, (n) => ({ name: `S${n}`, match_mode: 'all', rules })),
      edited('put', `/v1/exercises/${exercise.id}`, (n) => ({ category_ids: n % 2 ? [category.id] : [] })),
      edited('put', `/v1/exercises/${exercise.id}/instructions/${instruction.id}`, (n) => ({ content: `Bend ${n}` })),
      edited('put', `/v1/exercise-categories/${category.id}`, (n) => ({ description: `D${n}` })),
      edited('put', `/v1/programs/${program.id}`, (n) => ({ name: `Program ${n}`, sessions: [] })),
      edited('patch', `/v1/services/${service.id}`),
      edited('patch', `/v1/service-plans/${plan.id}`),
      edited('patch', `/v1/products/${product.id}`),
      edited('patch', `/v1/calendars/${calendar.id}`, (n) => ({ service_ids: n % 2 ? [service.id] : [] })),
      edited('put', `/v1/calendars/${calendar.id}/weekly-hours`, (n) => ({
        weekly_hours: [{ weekday: 1, start: '09:00', end: n % 2 ? '10:00' : '11:00' }],
      })),
      edited('patch', `/v1/closures/${closure.id}`),
      edited('put', `${organization}/privacy-notice`, () => ({ placeholder_values: {}, included_sections: [] })),
    ]
  }

  test('of two editors with the same version the second gets 409 with the current row; without a version both write', async () => {
    const clinic = await core.organization()
    for (const { url, method, change, member } of await everything(clinic)) {
      const send = (body: unknown, ifMatch?: string) =>
        core[method](url, { as: clinic.admin, body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } })
      const required = url.includes('/programs/')
      const readUrl = url
        .replace(/\/(permissions|weekly-hours)$/, '')
        .replace(/\/(instructions|closures)\/[^/]+$/, (whole) =>
          whole.startsWith('/closures') ? '/closures?from=2029-01-01&to=2031-01-01' : '',
        )
      const read = async () => {
        const { body } = await core.get(readUrl, { as: clinic.admin })
        const row = body.data ?? body
        const [single = row] = url.includes('/closures/') ? row : (row.instructions ?? [])
        return (url.includes('/instructions/') || url.includes('/closures/') ? single : row)[member] as number
      }
      const first = await read()
      assert.ok(Number.isInteger(first), `${url} has no ${member}`)
      const own = required ? { [member]: first } : {}
      const won = await send({ ...change(1), ...own }, `"${first}"`)
      assert.equal(won.status, 200, `${url} ${won.text}`)
      const current = await read()
      assert.ok(current > first, `${url} did not count`)
      assert.equal(won.headers.get('etag'), `"${current}"`, url)

      const lost = await send({ ...change(2), ...own }, `"${first}"`)
      assert.equal(lost.status, 409, `${url} ${lost.text}`)
      const { error } = lost.body
      assert.deepEqual([error.code, error.current_version], ['stale_version', current], url)
      assert.equal(error.current[member], current, url)
      assert.equal(error.changed_by.principal_id, clinic.admin.id, url)
      assert.ok(Date.parse(error.changed_at) > 0, url)
      assert.equal(await read(), current, `${url} changed`)

      const lostByBody = await send({ ...change(2), [member]: first })
      assert.deepEqual([lostByBody.status, lostByBody.body.error?.code], [409, 'stale_version'], url)
      const again = await send({ ...change(2), [member]: current })
      assert.equal(again.status, 200, `${url} ${again.text}`)
      if (!required) assert.equal((await send(change(3))).status, 200, url)
    }
  })

  test('the version of a profile is a hash of its values; the second of two editors gets 409', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const patient = await made(clinic, '/v1/patients', { first_name: 'Ion', last_name: 'Pop' })
    const specialist = await made(clinic, '/v1/specialists', { name: 'Ana', slug: 'ana' })
    for (const [entity_type, url] of [
      ['patient', `/v1/patients/${patient.id}/profile`],
      ['specialist', `/v1/specialists/${specialist.id}/profile`],
    ] as const) {
      await made(clinic, '/v1/custom-fields', { entity_type, key: 'sport', label: 'Sport', field_type: 'text' })
      const read = await core.get(url, { as: clinic.admin })
      const etag = read.headers.get('etag') ?? ''
      assert.equal(etag, `"${read.body.version}"`)
      const headers = { 'if-match': etag }
      const save = (sport: string) => core.put(url, { as: clinic.admin, body: { sport }, headers })
      const answers = await Promise.all([save('Judo'), save('Golf')])
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 409],
        url,
      )
      const [won, lost] = answers[0]?.status === 200 ? answers : [...answers].reverse()
      assert.equal(lost?.body.error.code, 'stale_version')
      assert.deepEqual(lost?.body.error.current.profile.sport, won?.body.profile.sport)
      assert.equal(lost?.body.error.current_version, won?.body.version)
    }
  })

  test('of ten concurrent editors exactly one succeeds', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const { id } = await made(clinic, '/v1/patients', { first_name: 'Ion', last_name: 'Pop' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        core.put(`/v1/patients/${id}`, {
          as: clinic.admin,
          body: { first_name: `Ion ${n}`, last_name: 'Pop' },
          headers: { 'if-match': '"1"' },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
  })

  test('If-Match accepts *, weak and bare tags, and lists; anything else is refused (422)', async () => {
    const clinic = await core.organization()
    const url = `/v1/organizations/${clinic.id}`
    const send = (ifMatch: string, body: unknown = { phone: '1' }) =>
      core.patch(url, { as: clinic.admin, body, headers: { 'if-match': ifMatch } })
    const version = async () => (await core.get(url, { as: clinic.admin })).body.data.version as number
    for (const tag of [() => '*', (n: number) => `W/"${n}"`, (n: number) => `${n}`, (n: number) => `"7000", "${n}"`])
      assert.equal((await send(tag(await version()))).status, 200)
    for (const tag of ['"abc"', '', '"1" "2"', '-1']) {
      const { status, body } = await send(tag)
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['If-Match']], tag)
    }
    const only = await core.patch(url, { as: clinic.admin, body: { version: await version() } })
    assert.equal(only.status, 422)
    for (const wrong of ['1', 0, 1.5, null]) {
      const { status, body } = await core.patch(url, { as: clinic.admin, body: { phone: '1', version: wrong } })
      assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['version']], String(wrong))
    }
  })
})
