import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { isObject } from '@tendon/contracts'
import { csvListOf } from '@tendon/http'
import { type Person, sharedCore, type TestCore } from '../testing/core.ts'

const CSV = { accept: 'text/csv' }

/** Responses with an array but without CSV, each with its reason. Pickers have no CSV either. */
const NO_CSV: Record<string, string> = {
  '/v1/public/services': 'public: nobody to name in the audit log',
  '/v1/integration-services': 'public: nobody to name in the audit log',
  '/v1/public/availability': 'public: nobody to name in the audit log',
  '/v1/availability': 'free times, days and reasons: three lists in one answer',
  '/v1/patients/:id/profile': 'one record',
  '/v1/patients/:id/timeline': 'read page after page, without a total',
  '/v1/specialists/:id/profile': 'one record',
  '/v1/segments/:id/versions/:version': 'one record',
}

describe('lists as CSV', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const exportsOf = (organizationId: string) =>
    core.database.query<{ crud: string; actor_principal_id: string }>(
      `select crud, actor_principal_id from audit_log where organization_id = $1 and action = 'lists.export'`,
      [organizationId],
    )
  const locations = (clinic: { id: string; admin: Person }, query = '', headers = CSV) =>
    core.get(`/v1/organizations/${clinic.id}/locations${query}`, { as: clinic.admin, headers })

  test('CSV has the filters and columns of the list; text that would be a formula is escaped', async () => {
    const clinic = await core.organization()
    for (const name of ['=1+1', '+40', '-x', '@sum', 'A "quoted", one', 'Last'])
      await core.post(`/v1/organizations/${clinic.id}/locations`, { as: clinic.admin, body: { name } })
    const answer = await locations(clinic, '?sort=created_at&limit=5')
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
    assert.equal(answer.headers.get('x-total-count'), '6')
    const lines = answer.text.trimEnd().split('\r\n')
    assert.match(lines[0] ?? '', /^id,name,address\.line1,/)
    assert.deepEqual(
      lines.slice(1).map((line) => line.slice(37).split(',,')[0]),
      ["'=1+1", "'+40", "'-x", "'@sum", '"A ""quoted"", one"'],
    )
    assert.equal((await locations(clinic, '?q=last')).text.trimEnd().split('\r\n').length, 2)
    assert.equal((await locations(clinic, '?sort=phone')).status, 422)
  })

  test('CSV exports are audited; JSON lists are not', async () => {
    const clinic = await core.organization()
    await locations(clinic)
    await locations(clinic, '', { accept: 'application/json, text/csv' })
    await locations(clinic, '', { accept: '*/*' })
    assert.deepEqual(await exportsOf(clinic.id), [{ crud: 'E', actor_principal_id: clinic.admin.id }])
  })

  test('the audit entry of an export has the values of ids, dates and choices; of a search only its name', async () => {
    const clinic = await core.organization()
    const id = randomUUID()
    const query = `q=Zefirina&status=confirmed,Zefirina&sort=-starts_at&patient_id=${id}&starts_at_after=2026-01-31&Zefirina=1`
    const answer = await core.get(`/v1/appointments?${query}`, { as: clinic.admin, headers: CSV })
    assert.equal(answer.status, 200, answer.text)
    await core.get('/v1/patients?q=Zefirina&limit=5', { as: clinic.admin, headers: CSV })
    const log = await core.get('/v1/audit-logs?action=lists.export', { as: clinic.admin })
    assert.doesNotMatch(log.text, /Zefirina/)
    const [patients, appointments] = log.body.data.map(
      ({ changes }: { changes: { field: string; after: unknown }[] }) =>
        changes.find(({ field }) => field === 'query')?.after,
    )
    assert.deepEqual(patients, { q: null, limit: '5' })
    assert.deepEqual(appointments, { status: null, sort: '-starts_at', patient_id: id, starts_at_after: '2026-01-31' })
  })

  test('every list that an admin may read answers CSV with the columns of its contract', async () => {
    const clinic = await core.organization()
    let read = 0
    const seen: string[] = []
    for (const route of core.app.routes) {
      const { url } = route
      const contract = csvListOf(route)?.rows
      if (!contract) continue
      const path = url.replace('/organizations/:id/', `/organizations/${clinic.id}/`)
      if (path.includes(':')) continue
      const query = url === '/v1/appointments/affected' ? '?date=2026-11-17' : ''
      const answer = await core.get(`${path}${query}`, { as: clinic.admin, headers: CSV })
      if (answer.status === 403) continue
      assert.equal(answer.status, 200, `${url} ${answer.text}`)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/, url)
      assert.ok(answer.text.split('\r\n')[0]?.startsWith(Object.keys(contract.properties ?? {})[0] ?? '?'), url)
      read += 1
      seen.push(url)
    }
    for (const url of ['/v1/exercises', '/v1/custom-fields', '/v1/segments', '/v1/exercise-categories'])
      assert.ok(seen.includes(url), url)
    assert.ok(read > 15, `${read} lists`)
    assert.equal((await exportsOf(clinic.id)).length, read)
  })

  test('operators and patients export their lists, and each export is audited', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.acceptAll(await core.patient(clinic, person))
    const operator = await core.superadmin()
    const ofPerson = async ({ id }: Person) =>
      (
        await core.database.query(`select 1 from audit_log where actor_principal_id = $1 and action = 'lists.export'`, [
          id,
        ])
      ).length
    for (const [as, urls] of [
      [person, ['/v1/me/consents', '/v1/me/bookings', '/v1/me/sessions', '/v1/me/treatment-plans']],
      [operator, ['/v1/organizations', '/v1/admin/role-templates', '/v1/admin/platform/exercise-aggregate-counts']],
    ] as const) {
      const before = await ofPerson(as)
      for (const url of urls) {
        const answer = await core.get(url, { as, headers: CSV })
        assert.equal(answer.status, 200, `${url} ${answer.text}`)
        assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/, url)
      }
      assert.equal((await ofPerson(as)) - before, urls.length)
    }
  })

  test('a list has no CSV only where it is public, or suggests choices', () => {
    const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})
    const isListed = (schema: unknown) =>
      Object.values(membersOf(membersOf(schema).properties)).some((member) => membersOf(member).type === 'array')
    const without = core.app.routes.filter((route) => {
      const isList = isListed(membersOf(route.schema?.response)['200'])
      return route.method === 'GET' && isList && csvListOf(route) === undefined && !route.url.endsWith('/picker')
    })
    assert.deepEqual(without.map(({ url }) => url).toSorted(), Object.keys(NO_CSV).toSorted())
  })

  test('the reference shows text/csv on exactly these lists', async () => {
    const { body } = await core.get('/v1/openapi.json')
    for (const route of core.app.routes) {
      if (route.method !== 'GET') continue
      const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
      const content = body.paths[path]?.get?.responses?.['200']?.content
      if (content) assert.equal('text/csv' in content, csvListOf(route) !== undefined, path)
    }
    assert.ok(body.paths['/v1/patients'].get.responses['200'].content['text/csv'])
  })
})
