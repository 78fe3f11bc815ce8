import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../features/scheduling/clinic.testing.ts'
import { type Answer, type Person, sharedCore, type TestCore } from '../testing/core.ts'

const VISITS = '/v1/appointments'

describe('polled lists', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const read = (path: string, as?: { token: string }, tag?: string, more: Record<string, string> = {}) =>
    core.get(path, { ...(as ? { as } : {}), headers: { ...(tag ? { 'if-none-match': tag } : {}), ...more } })
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? ''
  const book = (clinic: SchedulingClinic, hour = 10) => {
    const body = {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(hour).toISOString(),
    }
    return created(core.post(VISITS, { as: clinic.admin, body }))
  }

  test('a polled list has a weak ETag, and a client that sends it gets 304 without a body', async () => {
    const clinic = await schedulingClinic(core)
    await book(clinic)
    const first = await read(VISITS, clinic.admin)
    assert.match(tagOf(first), /^W\/"[\w-]{43}"$/)
    const headers = ['etag', 'vary', 'cache-control', 'strict-transport-security']
    for (const tag of [tagOf(first), `"other", ${tagOf(first)}`, tagOf(first).slice(2), '*']) {
      const again = await read(VISITS, clinic.admin, tag)
      assert.deepEqual([again.status, again.text], [304, ''], tag)
      assert.deepEqual(
        headers.map((name) => again.headers.get(name)),
        headers.map((name) => first.headers.get(name)),
      )
      for (const name of ['content-type', 'content-length', 'content-encoding'])
        assert.equal(again.headers.get(name), null, name)
      assert.ok(again.headers.get('x-request-id') && again.headers.get('x-ratelimit-remaining'))
    }
    assert.equal(first.headers.get('cache-control'), 'no-store')
    for (const tag of ['W/"other"', '"3"', 'x', ',', '""']) {
      const again = await read(VISITS, clinic.admin, tag)
      assert.deepEqual([again.status, again.body], [200, first.body], tag)
    }
  })

  test('a polled list has the same ETag in every encoding and for HEAD, and none in CSV', async () => {
    const clinic = await schedulingClinic(core)
    const plain = tagOf(await read(VISITS, clinic.admin))
    assert.equal(tagOf(await read(VISITS, clinic.admin, undefined, { 'accept-encoding': 'gzip, br' })), plain)
    const call = (tag?: string) =>
      core.call('HEAD', VISITS, { as: clinic.admin, headers: tag ? { 'if-none-match': tag } : {} })
    const [head, same] = [await call(), await call(plain)]
    assert.deepEqual([head.status, tagOf(head)], [200, plain])
    assert.deepEqual([same.status, tagOf(same), same.headers.get('content-length')], [304, plain, null])
    const csv = await read(VISITS, clinic.admin, plain, { accept: 'text/csv' })
    assert.deepEqual([csv.status, csv.headers.get('etag')], [200, null])
  })

  test('a polled list is sent again after a row is changed, added or removed, and for another query', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await book(clinic)
    let tag = tagOf(await read(VISITS, clinic.admin))
    const assertChanged = async (path = VISITS) => {
      const answer = await read(path, clinic.admin, tag)
      assert.equal(answer.status, 200)
      tag = tagOf(answer)
      assert.equal((await read(path, clinic.admin, tag)).status, 304)
      return answer.body.data
    }
    const note = { as: clinic.admin, body: { notes: 'Ring twice' } }
    assert.equal((await core.patch(`${VISITS}/${visit.id}`, note)).status, 200)
    assert.equal((await assertChanged())[0].notes, 'Ring twice')
    await book(clinic, 12)
    assert.equal((await assertChanged()).length, 2)
    await core.put(`${VISITS}/${visit.id}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
    await assertChanged()
    assert.equal((await assertChanged(`${VISITS}?limit=1`)).length, 1)
  })

  test('another clinic or another caller gets 304 only when both may read the same content', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    await book(clinic)
    await book(other)
    const tag = tagOf(await read(VISITS, clinic.admin))
    const elsewhere = await read(VISITS, other.admin, tag)
    assert.equal(elsewhere.status, 200)
    assert.equal(elsewhere.body.data[0].organization_id, other.id)
    const colleague = await core.memberWith(clinic, ['appointments.view_org'])
    assert.equal((await read(VISITS, colleague, tag)).status, 304)
    const nobody = await core.memberWith(clinic, [])
    assert.equal((await read(VISITS, nobody, tag)).status, 403)
    const patient = await patientOf(clinic)
    const own = await read('/v1/me/appointments', patient.person, tag)
    assert.deepEqual([own.status, own.body.data], [200, []])
  })

  test('a caller who lost the right, the membership or the session is refused, not answered with 304', async () => {
    const clinic = await schedulingClinic(core)
    await book(clinic)
    const member = await core.memberWith(clinic, ['appointments.view_org'])
    const tag = tagOf(await read(VISITS, member))
    assert.equal((await read(VISITS, member, tag)).status, 304)
    const colleague = await core.memberWith(clinic, ['appointments.view_org'])
    await core.database.query(
      `delete from role_permissions where permission_code = 'appointments.view_org' and role_id =
         (select role_id from organization_memberships where organization_id = $1 and principal_id = $2)`,
      [clinic.id, member.id],
    )
    const members = `/v1/organizations/${clinic.id}/members`
    assert.equal((await core.delete(`${members}/${colleague.id}`, { as: clinic.admin })).status, 204)
    const there = { 'x-organization-id': clinic.id }
    for (const person of [member, colleague]) {
      // A server may keep rights for a moment.
      await until(async () => (await read(VISITS, person, undefined, there)).status === 403)
      for (const given of [tag, '*']) {
        const late = await read(VISITS, person, given, there)
        assert.deepEqual([late.status, late.body.error.code, late.headers.get('etag')], [403, 'forbidden', null])
      }
    }
    for (const given of [tag, '*']) assert.equal((await read(VISITS, undefined, given)).status, 401)
  })

  async function patientOf(clinic: SchedulingClinic): Promise<{ person: Person; id: string }> {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { person, id: record.id }
  }

  test("the consent gate refuses a patient's list before any 304", async () => {
    const clinic = await schedulingClinic(core)
    const { person } = await patientOf(clinic)
    const path = '/v1/me/appointments'
    const tag = tagOf(await read(path, person))
    assert.equal((await read(path, person, tag)).status, 304)
    await core.publishNotice(clinic)
    await until(async () => (await read(path, person)).status === 412)
    const closed = await read(path, person, tag)
    assert.deepEqual([closed.status, closed.body.error.code], [412, 'consent_required'])
  })

  test('each read under impersonation is audited, also when the answer is 304', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await patientOf(clinic)
    const reason = 'The patient asked why the list is empty'
    const { token } = await created(core.post(`/v1/patients/${id}/impersonate`, { as: clinic.admin, body: { reason } }))
    const entries = () =>
      core.database.query(`select 1 from audit_log where organization_id = $1 and action = 'impersonation.read'`, [
        clinic.id,
      ])
    const first = await read('/v1/me/appointments', { token })
    const before = (await entries()).length
    assert.equal((await read('/v1/me/appointments', { token }, tagOf(first))).status, 304)
    assert.equal((await entries()).length, before + 1)
  })

  test('the ETag of every polled list stays the same while nothing changes', async () => {
    const clinic = await schedulingClinic(core)
    const visit = await book(clinic)
    const { person } = await patientOf(clinic)
    const routes = core.app.routes.filter(({ config }) => config?.contentTag)
    const day = `from=${nextMonday(0).toISOString()}&to=${nextMonday(22).toISOString()}`
    const queries: Record<string, string> = {
      '/v1/public/availability': `?organization=${clinic.slug}&service_id=${clinic.service.id}&${day}`,
      '/v1/calendar': `?${day}`,
    }
    for (const { url, config } of routes) {
      const path = `${url.replace(':id', visit.id).replace(':slug', clinic.slug)}${queries[url] ?? ''}`
      const as = config?.access?.kind === 'patient' ? person : clinic.admin
      const first = await read(path, as)
      assert.equal(first.status, 200, `${url} ${first.text}`)
      assert.equal((await read(path, as, tagOf(first))).status, 304, url)
    }
    assert.equal(routes.length, 10)
  })
})
