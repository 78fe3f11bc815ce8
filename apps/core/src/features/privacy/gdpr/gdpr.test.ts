import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { eraseAccountRecord } from './index.ts'

// What the API says; no worker runs here, so that nothing that is accepted begins.

describe('privacy requests', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  const REASON = 'Asked for in writing'
  const ask = (kind: 'export' | 'erase', patient_id: string, as = clinic.admin, headers = {}) =>
    core.post(`/v1/gdpr/${kind}`, {
      as,
      headers,
      body: { patient_id, reason: REASON, ...(kind === 'erase' ? { confirm: 'ERASE' } : {}) },
    })
  const restrict = (patient_id: string, restricted: boolean, as = clinic.admin) =>
    core.post('/v1/gdpr/restrict', { as, body: { patient_id, restricted, reason: REASON } })
  const jobsOf = (requestId: string) =>
    core.database.query<{ name: string }>(
      `select t.identifier as name from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.payload -> 'payload' ->> 'request_id' = $1`,
      [requestId],
    )

  test('an export and an erasure are accepted, with a job each, and show their status', async () => {
    const patient = await core.patient(clinic)
    for (const kind of ['export', 'erase'] as const) {
      const { status, body } = await ask(kind, patient.id)
      assert.equal(status, 202, JSON.stringify(body))
      const { linked_request_ids, ...request } = body.data
      assert.deepEqual(linked_request_ids, [])
      const { id, created_at, updated_at, ...facts } = request
      assert.ok(id && created_at && updated_at)
      assert.deepEqual(facts, {
        kind,
        patient_id: patient.id,
        status: 'accepted',
        progress: 0,
        reason: REASON,
        error: null,
        requested_by_principal_id: clinic.admin.id,
        completed_at: null,
        expires_at: null,
      })
      assert.deepEqual(await jobsOf(id), [{ name: `gdpr.${kind}` }])
      const read = await core.get(`/v1/gdpr/requests/${id}`, { as: clinic.admin })
      assert.deepEqual(read.body.data, { ...request, manifest: null, certificate: null, download_url: null })
      const { body: log } = await core.get(`/v1/audit-logs?action=gdpr.${kind}&target_id=${patient.id}`, {
        as: clinic.admin,
      })
      const [entry] = log.data
      assert.equal(entry.patient_profile_id, patient.profile_id)
      assert.deepEqual([entry.target.label, entry.reason], ['Maria Stan', REASON])
    }
  })

  test('of fifty parallel requests one is accepted, the others get 409 request_under_way', async () => {
    const patient = await core.patient(clinic)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('export', patient.id)))
    const refused = answers.filter(({ status }) => status !== 202)
    assert.equal(refused.length, 49)
    for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [409, 'request_under_way'])
    assert.equal((await ask('erase', patient.id)).status, 202, 'of another kind')
    assert.equal((await ask('export', (await core.patient(clinic)).id)).status, 202, 'of another patient')
  })

  test('a repeated Idempotency-Key returns the same answer and no second request', async () => {
    const patient = await core.patient(clinic)
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [
      await ask('export', patient.id, clinic.admin, headers),
      await ask('export', patient.id, clinic.admin, headers),
    ]
    assert.deepEqual([first.status, second.status], [202, 202])
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
  })

  test('an erasure must be confirmed and reasoned', async () => {
    const { id } = await core.patient(clinic)
    const { status, body } = await core.post('/v1/gdpr/erase', {
      as: clinic.admin,
      body: { patient_id: id, reason: ' ' },
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), ['confirm', 'reason'])
    const wrong = { patient_id: id, reason: REASON, confirm: 'erase' }
    assert.equal((await core.post('/v1/gdpr/erase', { as: clinic.admin, body: wrong })).status, 422)
  })

  test('patients of another clinic and unknown ids are the same 404', async () => {
    const other = await core.organization()
    const foreign = await core.patient(other)
    for (const id of [foreign.id, randomUUID()]) {
      for (const answer of [await ask('export', id), await ask('erase', id), await restrict(id, true)]) {
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'patient_not_found'])
      }
    }
    const { body } = await ask('export', foreign.id, other.admin)
    for (const path of [body.data.id, randomUUID()].map((id) => `/v1/gdpr/requests/${id}`)) {
      for (const answer of [
        await core.get(path, { as: clinic.admin }),
        await core.post(`${path}/cancel`, { as: clinic.admin }),
      ]) {
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'privacy_request_not_found'])
      }
    }
    const listed = await core.get(`/v1/gdpr/requests?patient_id=${foreign.id}`, { as: clinic.admin })
    assert.equal(listed.body.pagination.total, 0)
  })

  test('a patient who left can still be exported and erased; one who was erased cannot', async () => {
    const patient = await core.patient(clinic)
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    assert.equal((await ask('export', patient.id)).status, 202)
    await core.database.query('update patients set erased_at = now() where id = $1', [patient.id])
    const { status, body } = await ask('erase', patient.id)
    assert.deepEqual([status, body.error.code], [409, 'already_erased'])
  })

  test('only a request that has not started can be cancelled', async () => {
    const patient = await core.patient(clinic)
    const { id } = (await ask('erase', patient.id)).body.data
    const cancel = () => core.post(`/v1/gdpr/requests/${id}/cancel`, { as: clinic.admin })
    const [one, two] = await Promise.all([cancel(), cancel()])
    const [done, refused] = one.status === 200 ? [one, two] : [two, one]
    assert.deepEqual([done.status, refused.status], [200, 409])
    assert.equal(done.body.data.status, 'cancelled')
    assert.equal(refused.body.error.code, 'invalid_transition')
    assert.match(refused.body.error.message, /cancelled/)
    assert.equal((await ask('erase', patient.id)).status, 202, 'the way is free again')
    const { body } = await core.get(`/v1/audit-logs?action=gdpr.cancel_erase&target_id=${id}`, { as: clinic.admin })
    assert.deepEqual(body.data[0].changes, [{ field: 'status', before: 'accepted', after: 'cancelled' }])
    for (const state of ['active', 'completed', 'error']) {
      await core.database.query(
        `update privacy_requests set status = $2 where patient_id = $1 and status <> 'cancelled'`,
        [patient.id, state],
      )
      const { data } = (
        await core.get(`/v1/gdpr/requests?patient_id=${patient.id}&status=${state}`, { as: clinic.admin })
      ).body
      const answer = await core.post(`/v1/gdpr/requests/${data[0].id}/cancel`, { as: clinic.admin })
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'invalid_transition'])
    }
  })

  test('the list is filtered by kind, state and patient, newest first', async () => {
    const own = await core.organization()
    const [one, two] = [await core.patient(own), await core.patient(own)]
    await ask('export', one.id, own.admin)
    await ask('erase', one.id, own.admin)
    await ask('export', two.id, own.admin)
    const read = async (query: string) => {
      const { body } = await core.get(`/v1/gdpr/requests${query}`, { as: own.admin })
      return body.data.map((row: { kind: string; patient_id: string }) => `${row.kind} ${row.patient_id}`)
    }
    assert.deepEqual(await read(''), [`export ${two.id}`, `erase ${one.id}`, `export ${one.id}`])
    assert.deepEqual(await read(`?kind=erase`), [`erase ${one.id}`])
    assert.deepEqual(await read(`?patient_id=${two.id}`), [`export ${two.id}`])
    assert.deepEqual(await read(`?status=completed`), [])
    assert.deepEqual(await read(`?status=accepted&kind=export&sort=created_at`), [
      `export ${one.id}`,
      `export ${two.id}`,
    ])
  })

  test('either permission allows reading, each allows cancelling its own kind', async () => {
    const patient = await core.patient(clinic)
    const exporter = await core.memberWith(clinic, ['gdpr.export_data'])
    const eraser = await core.memberWith(clinic, ['gdpr.erase_data'])
    const nobody = await core.memberWith(clinic, ['gdpr.restrict_processing', 'patients.view_org'])
    const refusedTo = async (answer: ReturnType<typeof ask>, required: string) => {
      const { status, body } = await answer
      assert.deepEqual([status, body.error.code, body.error.required], [403, 'forbidden', required])
    }
    await refusedTo(ask('export', patient.id, eraser), 'gdpr.export_data')
    await refusedTo(ask('erase', patient.id, exporter), 'gdpr.erase_data')
    await refusedTo(restrict(patient.id, true, exporter), 'gdpr.restrict_processing')
    const { id } = (await ask('export', patient.id, exporter)).body.data
    await refusedTo(core.get('/v1/gdpr/requests', { as: nobody }), 'gdpr.export_data')
    await refusedTo(core.get(`/v1/gdpr/requests/${id}`, { as: nobody }), 'gdpr.export_data')
    await refusedTo(core.post(`/v1/gdpr/requests/${id}/cancel`, { as: nobody }), 'gdpr.export_data')
    await refusedTo(core.post(`/v1/gdpr/requests/${id}/cancel`, { as: eraser }), 'gdpr.export_data')
    assert.equal((await core.get(`/v1/gdpr/requests/${id}`, { as: eraser })).status, 200)
    assert.equal((await core.post(`/v1/gdpr/requests/${id}/cancel`, { as: exporter })).status, 200)
    assert.equal((await restrict(patient.id, true, nobody)).status, 200)
  })

  test('a superadmin needs break-glass to read, and cannot make requests', async () => {
    const operator = await core.superadmin()
    const headers = { 'x-organization-id': clinic.id }
    const { status, body } = await core.get('/v1/gdpr/requests', { as: operator, headers })
    assert.deepEqual([status, body.error.code], [403, 'break_glass_required'])
    await core.database.query(
      `insert into break_glass_grants (principal_id, organization_id, reason, expires_at)
       values ($1, $2, 'A reason of twenty characters', now() + interval '10 minutes')`,
      [operator.id, clinic.id],
    )
    assert.equal((await core.get('/v1/gdpr/requests', { as: operator, headers })).status, 200)
    assert.equal((await ask('erase', (await core.patient(clinic)).id, operator, headers)).status, 403)
  })

  test('while processing is restricted the record cannot be changed; lifting the restriction allows it again', async () => {
    const patient = await core.patient(clinic)
    const change = () =>
      core.put(`/v1/patients/${patient.id}`, { as: clinic.admin, body: { first_name: 'Maria', last_name: 'Pop' } })
    const number = () =>
      core.put(`/v1/patients/${patient.id}/profile`, { as: clinic.admin, body: { national_id: 'AB 12345' } })
    const { status, body } = await restrict(patient.id, true)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data).sort(), ['patient_id', 'restricted_at'])
    assert.ok(body.data.restricted_at)
    assert.equal(
      (await restrict(patient.id, true)).body.data.restricted_at,
      body.data.restricted_at,
      'the first time stays',
    )
    for (const answer of [await change(), await number()]) {
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'processing_restricted'])
    }
    await assert.rejects(
      core.database.query(`update patients set notes = 'x' where id = $1`, [patient.id]),
      { constraint: 'patients_restricted_check' },
      'whatever the road',
    )
    await assert.rejects(
      core.database.query(`update patient_profiles set national_id_encrypted = 'x' where id = $1`, [
        patient.profile_id,
      ]),
      { constraint: 'patients_restricted_check' },
    )
    assert.equal((await restrict(patient.id, false)).body.data.restricted_at, null)
    assert.equal((await change()).status, 200)
    assert.equal((await number()).status, 200)

    const { body: log } = await core.get(`/v1/audit-logs?target_id=${patient.id}&sort=occurred_at`, {
      as: clinic.admin,
    })
    const actions = log.data
      .map((entry: { action: string }) => entry.action)
      .filter((name: string) => name.startsWith('gdpr'))
    assert.deepEqual(actions, ['gdpr.restrict', 'gdpr.lift_restriction'], 'what changed nothing is not told')
    const events = await core.database.query<{ type: string }>(
      `select type from outbox_events where payload ->> 'patient_id' = $1 and type like 'patient.%restricted' order by id`,
      [patient.id],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['patient.restricted', 'patient.unrestricted'],
    )
  })

  test('consents, leaving and privacy requests are allowed under a restriction', async () => {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    await restrict(patient.id, true)
    const grants = [
      { organization_id: clinic.id, purpose_code: 'analytics', purpose_version: 1, source: 'self_toggle' },
    ]
    const granted = await core.post('/v1/me/consents', { as: person, body: { grants } })
    assert.equal(granted.status, 201, granted.text)
    assert.equal((await ask('export', patient.id)).status, 202)
    assert.equal((await ask('erase', patient.id)).status, 202)
    const left = await core.post(`/v1/me/organizations/${clinic.id}/leave`, { as: person, body: { confirm: true } })
    assert.equal(left.status, 200, left.text)
  })

  test('the record of an erased account is erased by a job of the clinic', async () => {
    const patient = await core.patient(clinic)
    await core.services.db.tenant(systemContext(clinic.id), (tx) => eraseAccountRecord(tx, patient.id))
    const [job] = await core.database.query<{ payload: unknown }>(
      `select payload from graphile_worker._private_jobs where payload -> 'payload' ->> 'patient_id' = $1`,
      [patient.id],
    )
    assert.deepEqual(job?.payload, { organization_id: clinic.id, payload: { patient_id: patient.id } })
  })
})
