import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const REASON = 'Support ticket 4711: the record does not open'

describe('break-glass', () => {
  let core: TestCore
  let operator: Person
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    operator = await core.superadmin()
    clinic = await core.organization({ name: 'Clinica Mlădița', language_code: 'ro' })
  })
  after(() => core.close())

  const open = (body: object, as = operator, headers = {}) =>
    core.post('/v1/admin/break-glass', { as, body: { organization_id: clinic.id, reason: REASON, ...body }, headers })
  const minutesOf = ({ created_at, expires_at }: Json) => (Date.parse(expires_at) - Date.parse(created_at)) / 60_000

  test('an operator gets access to a clinic for half an hour, or the given time', async () => {
    const opened = await open({ reason: `  ${REASON} ` })
    assert.equal(opened.status, 201, opened.text)
    const { created_at, expires_at } = opened.body.data
    assert.deepEqual(opened.body.data, {
      id: opened.body.data.id,
      created_at,
      expires_at,
      organization: { id: clinic.id, name: 'Clinica Mlădița' },
      patient_id: null,
      opened_by: { principal_id: operator.id, name: operator.name },
      reason: REASON,
      status: 'active',
      ended_at: null,
    })
    assert.equal(minutesOf({ created_at, expires_at }), 30)
    const patient = await core.patient(clinic)
    const hour = await open({ patient_id: patient.id, minutes: 60 })
    assert.equal(hour.body.data.patient_id, patient.id)
    assert.equal(minutesOf(hour.body.data), 60)
    assert.equal((await open({ minutes: 1, patient_id: null })).status, 201)
  })

  test('a short or blank reason and other times are refused (422), with the field named', async () => {
    for (const [field, value] of [
      ['reason', 'too short'],
      ['reason', `short${' '.repeat(40)}`],
      ['reason', '🩺'.repeat(19)],
      ['reason', 'x'.repeat(1001)],
      ['minutes', 0],
      ['minutes', 61],
      ['minutes', 1.5],
      ['organization_id', 'x'],
      ['patient_id', 'x'],
      ['expires_at', '2099-01-01T00:00:00Z'],
    ]) {
      const answer = await open({ [String(field)]: value })
      assert.equal(answer.status, 422, `${field} ${value}: ${answer.text}`)
      assert.ok(answer.body.error.fields[String(field)], answer.text)
    }
    assert.equal((await open({ reason: '🩺'.repeat(20) })).status, 201)
  })

  test('a clinic that does not exist is 404; so is a patient, whether unknown or of another clinic', async () => {
    const unknown = await open({ organization_id: randomUUID() })
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'organization_not_found'])
    const foreign = await core.patient(await core.organization())
    const answers = await Promise.all([open({ patient_id: foreign.id }), open({ patient_id: randomUUID() })])
    assert.deepEqual([answers[0].status, answers[0].body.error.code], [404, 'patient_not_found'])
    assert.equal(answers[0].text, answers[1].text)
  })

  test('a repeated Idempotency-Key starts one access and notifies the clinic once', async () => {
    const place = await core.organization()
    const headers = { 'idempotency-key': 'open-sesame' }
    const answers = await Promise.all([1, 2].map(() => open({ organization_id: place.id }, operator, headers)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.equal(answers[0]?.text, answers[1]?.text)
    const mails = await core.database.query('select 1 from mail_outbox where organization_id = $1', [place.id])
    assert.equal(mails.length, 1)
  })

  test('everybody at the clinic who may read its log gets a mail in its language, and there is an event', async () => {
    const place = await core.organization({ language_code: 'ro', name: 'Clinica Vie' })
    const watcher = await core.memberWith(place, ['audit_log.view_org'])
    await core.memberWith(place, ['organizations.update'])
    const invited = await core.member(place, 'admin')
    await core.database.query('update humans set email_verified = false where id = $1', [invited.id])
    await core.database.query(
      `update organization_memberships set invited_email = 'invited@mail.example' where principal_id = $1`,
      [invited.id],
    )
    const unproven = await core.member(place, 'admin')
    await core.database.query('update humans set email_verified = false where id = $1', [unproven.id])
    const { data: grant } = (await open({ organization_id: place.id })).body
    const mails = await core.database.query(
      'select to_address, template, language, data from mail_outbox where organization_id = $1 order by to_address',
      [place.id],
    )
    const data = {
      break_glass_id: grant.id,
      organization_name: 'Clinica Vie',
      opened_by: operator.name,
      expires_at: grant.expires_at,
    }
    assert.deepEqual(
      mails,
      [place.admin.email, watcher.email, 'invited@mail.example']
        .sort()
        .map((to_address) => ({ to_address, template: 'break_glass_opened', language: 'ro', data })),
    )
    const events = await core.database.query(`select type, payload from outbox_events where payload @> $1`, [
      { break_glass_id: grant.id },
    ])
    assert.deepEqual(events, [
      {
        type: 'break_glass.opened',
        payload: {
          break_glass_id: grant.id,
          principal_id: operator.id,
          patient_id: null,
          expires_at: grant.expires_at,
        },
      },
    ])
  })

  test('start and end are in the audit logs of the clinic, with the reason, and of the platform', async () => {
    const place = await core.organization()
    const patient = await core.patient(place)
    const { data: grant } = (await open({ organization_id: place.id, patient_id: patient.id })).body
    assert.equal((await core.delete(`/v1/admin/break-glass/${grant.id}`, { as: operator })).status, 204)
    const query = `/v1/audit-logs?target_id=${grant.id}`
    const ofClinic = (await core.get(query, { as: place.admin })).body.data
    assert.deepEqual(
      ofClinic.map((entry: Json) => [entry.action, entry.crud, entry.actor.type, entry.actor.name, entry.reason]),
      [
        ['break_glass.end', 'U', 'superadmin', operator.name, REASON],
        ['break_glass.open', 'C', 'superadmin', operator.name, REASON],
      ],
    )
    assert.ok(ofClinic.every((entry: Json) => entry.patient_profile_id === patient.profile_id))
    const ofPlatform = (await core.get(query, { as: operator })).body.data
    assert.deepEqual(
      ofPlatform.map((entry: Json) => [entry.action, entry.organization_id, entry.reason, entry.patient_profile_id]),
      [
        ['break_glass.end', null, null, null],
        ['break_glass.open', null, null, null],
      ],
    )
  })

  test('operators see all grants, by clinic, operator and status; the clinic sees its own', async () => {
    const place = await core.organization()
    const second = await core.superadmin()
    const [first, ended, expired] = await Promise.all([
      open({ organization_id: place.id }),
      open({ organization_id: place.id }, second),
      open({ organization_id: place.id }, second),
    ])
    await core.delete(`/v1/admin/break-glass/${ended.body.data.id}`, { as: operator })
    await core.database.query(
      `update break_glass_grants set created_at = now() - interval '1 hour', expires_at = now() where id = $1`,
      [expired.body.data.id],
    )
    const ids = async (query: string, as = operator) =>
      (await core.get(`/v1/admin/break-glass?organization_id=${place.id}&${query}`, { as })).body.data.map(
        ({ id, status }: Json) => [id, status],
      )
    assert.deepEqual(await ids('status=active', second), [[first.body.data.id, 'active']])
    assert.deepEqual(await ids('status=ended'), [[ended.body.data.id, 'ended']])
    assert.deepEqual(await ids(`status=expired&principal_id=${second.id}`), [[expired.body.data.id, 'expired']])
    assert.deepEqual(await ids(`principal_id=${operator.id}`), [[first.body.data.id, 'active']])
    assert.equal((await ids('sort=expires_at')).length, 3)

    const watcher = await core.memberWith(place, ['audit_log.view_org'])
    const seen = await core.get(`/v1/organizations/${place.id}/break-glass?status=active`, { as: watcher })
    assert.equal(seen.status, 200, seen.text)
    assert.deepEqual(seen.body, { data: [first.body.data], pagination: { page: 1, limit: 50, total: 1 } })
    const all = await core.get(`/v1/organizations/${place.id}/break-glass`, { as: watcher })
    assert.deepEqual([all.body.pagination.total, all.body.data.length], [3, 3])
    const nobody = await core.memberWith(place, ['organizations.manage_members'])
    const refused = await core.get(`/v1/organizations/${place.id}/break-glass`, { as: nobody })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'audit_log.view_org'])
    const foreign = await core.get(`/v1/organizations/${place.id}/break-glass`, { as: clinic.admin })
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'organization_mismatch'])
  })

  test('a grant ends once; one that has ended or does not exist is 404', async () => {
    const { data: grant } = (await open({})).body
    const second = await core.superadmin()
    const answers = await Promise.all(
      [operator, second, operator].map((as) => core.delete(`/v1/admin/break-glass/${grant.id}`, { as })),
    )
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    assert.equal(answers.filter(({ status }) => status === 404).length, 2)
    const events = await core.database.query(`select 1 from outbox_events where type = 'break_glass.ended'
      and payload ->> 'break_glass_id' = '${grant.id}'`)
    assert.equal(events.length, 1)
    const unknown = await core.delete(`/v1/admin/break-glass/${randomUUID()}`, { as: operator })
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'break_glass_not_found'])
  })

  test('only superadmins start, list and end access', async () => {
    const { data: grant } = (await open({})).body
    for (const as of [clinic.admin, await core.signIn()]) {
      assert.equal((await open({}, as)).status, 403)
      assert.equal((await core.get('/v1/admin/break-glass', { as })).status, 403)
      assert.equal((await core.delete(`/v1/admin/break-glass/${grant.id}`, { as })).status, 403)
    }
  })

  test('no login can change a grant except to end it, and none can delete it', async () => {
    for (const statement of [
      `delete from break_glass_grants`,
      `update break_glass_grants set reason = 'nothing to see here, move along'`,
      `update break_glass_grants set expires_at = now()`,
    ]) {
      const context = { principalId: operator.id, organizationId: null, permissions: '*' }
      await assert.rejects(
        core.services.db.platform(context, (tx) => sql.raw(statement).execute(tx)),
        { code: '42501' },
        statement,
      )
    }
  })
})
