import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { membership, permission } from '@tendon/http'
import { sql } from 'kysely'
import type { Routes } from '../../../feature.ts'
import { type CallOptions, type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const REASON = 'Support ticket 4711: the record does not open'

/** Routes of patient data as a feature would declare them, and one that serves none. */
const probe: Routes = (app) => {
  const config = { access: permission('patients.view_org'), patientData: true, summary: 'Probe' }
  const patients = sql<{ id: string; login: string }>`select id, current_user::text as login from patients order by id`
  app.get('/v1/probe/patients', { config }, (request) =>
    request.tenant(async (tx) => (await patients.execute(tx)).rows),
  )
  app.post('/v1/probe/patients', { config }, async () => ({}))
  app.get('/v1/probe/patients/:id', { config }, async (request) => request.params)
  app.put('/v1/probe/patients/:id', { config }, async () => ({}))
  app.get('/v1/probe/notes/:id', { config }, async () => ({}))
  app.get(
    '/v1/organizations/:org_id/probe/patients/:patient_id/notes/:id',
    { config },
    async (request) => request.params,
  )
  app.get('/v1/organizations/:id/probe', { config: { ...config, patientData: false } }, async () => ({}))
  app.get('/v1/probe/here', { config: { access: membership(), summary: 'Probe' } }, async (request) => ({
    organization_id: request.caller.organization_id,
  }))
}

describe('reading under break-glass', () => {
  let core: TestCore
  let operator: Person
  let clinic: TestOrganization
  let patient: { id: string; profile_id: string }
  before(async () => {
    core = await sharedCore({ routes: [probe] })
  })
  after(() => core.close())

  // Everybody and everything new for each test.
  async function scene() {
    operator = await core.superadmin()
    clinic = await core.organization()
    patient = await core.patient(clinic)
  }
  const open = async (body: object = {}) => {
    const answer = await core.post('/v1/admin/break-glass', {
      as: operator,
      body: { organization_id: clinic.id, reason: REASON, ...body },
    })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const here = (): CallOptions => ({ as: operator, headers: { 'x-organization-id': clinic.id } })
  const outcome = async (path: string, options = here(), method = 'GET') => {
    const { status, body } = await core.call(method, path, options)
    return status === 200 ? 200 : [status, body?.error?.code ?? body?.name]
  }
  const trace = async (): Promise<Json[]> =>
    (await core.get('/v1/audit-logs?action=break_glass.read&sort=occurred_at', { as: clinic.admin })).body.data
  const REQUIRED = [403, 'break_glass_required']

  test('without a grant patient data is refused, by header and by URL; other data is not', async () => {
    await scene()
    assert.deepEqual(await outcome('/v1/probe/patients'), REQUIRED)
    assert.deepEqual(await outcome('/v1/probe/patients', { as: operator }), REQUIRED)
    assert.deepEqual(await outcome(`/v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/1`), REQUIRED)
    assert.deepEqual(await outcome('/v1/probe/patients', here(), 'POST'), REQUIRED)
    assert.equal(await outcome(`/v1/organizations/${clinic.id}/probe`, { as: operator }), 200)
    assert.deepEqual(await trace(), [])
  })

  test('with a grant patient data of that clinic can be read, on the restricted login', async () => {
    await scene()
    await core.patient(await core.organization())
    await open()
    const { body } = await core.get('/v1/probe/patients', here())
    assert.deepEqual(body, [{ id: patient.id, login: 'tendon_app' }])
    assert.equal(await outcome(`/v1/probe/patients/${patient.id}`), 200)
    assert.equal(await outcome(`/v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/1`), 200)
    assert.equal((await core.call('HEAD', '/v1/probe/patients', here())).status, 200)
    assert.deepEqual(await outcome('/v1/probe/patients', here(), 'POST'), [403, 'forbidden'])
    assert.deepEqual(await outcome(`/v1/probe/patients/${patient.id}`, here(), 'PUT'), [403, 'forbidden'])
    const elsewhere = await core.organization()
    for (const id of [elsewhere.id, randomUUID()]) {
      const headers = { 'x-organization-id': id }
      assert.deepEqual(await outcome('/v1/probe/patients', { as: operator, headers }), REQUIRED)
    }
    assert.deepEqual(await outcome(`/v1/organizations/${elsewhere.id}/probe/patients/${patient.id}/notes/1`), REQUIRED)
    assert.deepEqual(await outcome('/v1/probe/patients', { as: operator }), REQUIRED, 'no clinic is named')
  })

  test('a grant applies only to the operator who started it', async () => {
    await scene()
    await open()
    const other = await core.superadmin()
    assert.deepEqual(await outcome('/v1/probe/patients', { ...here(), as: other }), REQUIRED)
    const member = await core.memberWith(clinic, ['patients.view_org'])
    assert.equal(await outcome('/v1/probe/patients', { ...here(), as: member }), 200)
    assert.equal((await trace()).length, 0, 'staff need none and leave no such trace')
  })

  test('a grant for one patient allows neither lists nor other patients; several grants add up', async () => {
    await scene()
    const second = await core.patient(clinic)
    const third = await core.patient(clinic)
    await open({ patient_id: patient.id })
    await open({ patient_id: second.id })
    for (const { id } of [patient, second]) {
      assert.equal(await outcome(`/v1/probe/patients/${id}`), 200)
      assert.equal(await outcome(`/v1/probe/patients/${id.toUpperCase()}`), 200)
      assert.equal(await outcome(`/v1/organizations/${clinic.id}/probe/patients/${id}/notes/${third.id}`), 200)
    }
    for (const path of [
      '/v1/probe/patients',
      `/v1/probe/patients?id=${patient.id}`,
      `/v1/probe/patients/${third.id}`,
      `/v1/probe/patients/${randomUUID()}`,
      '/v1/probe/patients/x',
      `/v1/probe/notes/${patient.id}`,
      `/v1/organizations/${clinic.id}/probe/patients/${third.id}/notes/${patient.id}`,
    ]) {
      assert.deepEqual(await outcome(path), REQUIRED, path)
    }
    await open()
    assert.equal(await outcome(`/v1/probe/patients/${third.id}`), 200)
    assert.equal(await outcome('/v1/probe/patients'), 200)
  })

  test('each read is in the clinic’s audit log with grant, URL and reason, and the patient if there is one', async () => {
    await scene()
    const whole = await open()
    await core.get('/v1/probe/patients?q=Stan', here())
    const one = await open({ patient_id: patient.id, reason: 'The patient asked us to look into the record' })
    await core.get(`/v1/probe/patients/${patient.id}`, here())
    await core.get(`/v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/1`, { as: operator })
    await core.get(`/v1/probe/patients/${randomUUID()}`, here())
    const entries = await trace()
    assert.ok(entries.every((entry) => entry.actor.principal_id === operator.id && entry.actor.type === 'superadmin'))
    assert.deepEqual(
      entries
        .slice(0, 3)
        .map(({ target, reason, patient_profile_id }) => [target.id, target.label, reason, patient_profile_id]),
      [
        [whole.id, 'GET /v1/probe/patients', REASON, null],
        [one.id, `GET /v1/probe/patients/${patient.id}`, one.reason, patient.profile_id],
        [
          one.id,
          `GET /v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/1`,
          one.reason,
          patient.profile_id,
        ],
      ],
    )
    assert.deepEqual([entries.length, entries[3].target.id, entries[3].patient_profile_id], [4, whole.id, null])
    const [key] = await core.database.query(
      `select k.patient_profile_id from audit_log a join audit_keys k on k.id = a.key_id
       where a.action = 'break_glass.read' and a.patient_profile_id = $1 limit 1`,
      [patient.profile_id],
    )
    assert.deepEqual(key, { patient_profile_id: patient.profile_id }, 'under the patient’s own key')
  })

  test('an expired or ended grant allows nothing from the next request on', async () => {
    await scene()
    const ended = await open()
    assert.equal(await outcome('/v1/probe/patients'), 200)
    await core.delete(`/v1/admin/break-glass/${ended.id}`, { as: operator })
    assert.deepEqual(await outcome('/v1/probe/patients'), REQUIRED)
    const expired = await open()
    assert.equal(await outcome('/v1/probe/patients'), 200)
    await core.database.query(
      `update break_glass_grants set created_at = now() - interval '1 hour', expires_at = now() where id = $1`,
      [expired.id],
    )
    assert.deepEqual(await outcome('/v1/probe/patients'), REQUIRED)
    await open()
    await core.database.query('delete from platform_memberships where principal_id = $1', [operator.id])
    assert.deepEqual(await outcome('/v1/probe/patients', { as: operator }), [403, 'forbidden'], 'no operator any more')
  })

  test('a grant makes the clinic the operator’s organization on routes of patient data only', async () => {
    await scene()
    await open()
    const answer = await core.get('/v1/probe/here', here())
    assert.deepEqual([answer.status, answer.body], [200, { organization_id: null }])
    assert.equal((await core.get('/v1/me', here())).body.data.current_organization, null)
    const moved = await core.put('/v1/me/switch-organization', { as: operator, body: { organization_id: clinic.id } })
    assert.equal(moved.status, 403)
  })

  test('every route of patient data refuses operators without a grant, and every write with one', async () => {
    await scene()
    const routes = core.app.routes.filter((route) => route.url.includes('/patients') || route.config?.patientData)
    assert.ok(routes.length > 10)
    const meet = async (check: (met: unknown, route: string) => void) => {
      for (const { method, url } of routes) {
        const path = url.replace(/:org_id\b/, clinic.id).replace(/:\w+/g, randomUUID())
        check(await outcome(path, here(), String(method)), `${String(method)} ${url}`)
      }
    }
    await meet((met, route) => assert.deepEqual(met, REQUIRED, route))
    await open()
    await meet((met, route) => {
      if (route.startsWith('GET ')) assert.notDeepEqual(met, REQUIRED, route)
      else assert.deepEqual(met, [403, 'forbidden'], route)
    })
  })

  test('in a route with several ids the organization is the first, not the one called id', async () => {
    await scene()
    const path = `/v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/${randomUUID()}`
    assert.equal(await outcome(path, { as: clinic.admin }), 200)
    const own = await core.organization()
    const mine = `/v1/organizations/${clinic.id}/probe/patients/${patient.id}/notes/${own.id}`
    assert.deepEqual(await outcome(mine, { as: own.admin }), [403, 'organization_mismatch'])
  })
})
