import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type AuditEntry, hashApiKey } from '@tendon/access'
import { authenticated, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import { SENTENCES } from './texts.ts'

/**
 * A record that is opened as the patients feature does it, by an address that names the patient and by one that does not;
 * and a route that writes whatever entry it is sent.
 */
const probe: Routes = (app) => {
  for (const url of ['/v1/probe/patients/:id', '/v1/probe/plans/:id'])
    app.get(
      url,
      { config: { access: permission('patients.view_org'), patientData: true, summary: 'Probe' } },
      (request) =>
        request.tenant(async (tx) => {
          const { id } = request.params as { id: string }
          const row = await tx.selectFrom('patients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
          const target = { type: 'patient', id, label: `${row.first_name} ${row.last_name}` }
          await request.audit(tx, {
            action: 'patients.read',
            crud: 'R',
            target,
            patientProfileId: row.patient_profile_id,
          })
          return {}
        }),
    )
  app.post<{ Body: AuditEntry }>(
    '/v1/probe/audit',
    { config: { access: authenticated(), gate: 'open', summary: 'Probe' } },
    (request) =>
      request.tenant(async (tx) => {
        await request.audit(tx, request.body)
        return {}
      }),
  )
}

describe('access log', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ routes: [probe] })
  })
  after(() => core.close())

  const log = async (as: Person | { token: string }, query = '') => {
    const answer = await core.get(`/v1/me/access-log${query}`, { as })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const write = async (as: Person, entry: object, headers = {}) => {
    const target = { type: 'note', id: null, label: 'Secret label' }
    const body = { action: 'notes.update', crud: 'U', target, changes: [{ field: 'note', before: 'a', after: 'b' }] }
    const answer = await core.post('/v1/probe/audit', { as, body: { ...body, ...entry }, headers })
    assert.equal(answer.status, 200, answer.text)
  }
  const read = async (as: Person, patientId: string, headers = {}) =>
    assert.equal((await core.get(`/v1/probe/patients/${patientId}`, { as, headers })).status, 200)

  test('a patient sees who of the clinic opened their record, in which role, and nothing else', async () => {
    const clinic = await core.organization({ name: 'Clinica Mlădița' })
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    const specialist = await core.member(clinic, 'specialist')
    await read(specialist, patient.id)
    const answer = await core.get('/v1/me/access-log', { as: person })
    assert.deepEqual(answer.body, {
      data: [
        {
          occurred_at: answer.body.data[0].occurred_at,
          organization: { id: clinic.id, name: 'Clinica Mlădița' },
          who: { name: specialist.name, kind: 'staff' },
          role_name: 'Specialist',
          what: 'Your record was opened.',
          how: 'normal',
          reason: null,
        },
      ],
      pagination: { page: 1, limit: 50, total: 1 },
    })
  })

  test('the role is the one at that time, and is kept when the person leaves', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    const staff = await core.member(clinic, 'specialist')
    await read(staff, patient.id)
    await core.database.query('update organization_memberships set role_id = $2 where principal_id = $1', [
      staff.id,
      clinic.roles.admin,
    ])
    await read(staff, patient.id)
    await core.database.query('delete from organization_memberships where principal_id = $1', [staff.id])
    const { data } = await log(person)
    assert.deepEqual(
      data.map((entry: Json) => [entry.who.name, entry.role_name]),
      [
        [staff.name, 'Admin'],
        [staff.name, 'Specialist'],
      ],
    )
  })

  test('across clinics, and nothing of other patients, other people or other profiles', async () => {
    const [first, second] = [await core.organization({ name: 'Unu' }), await core.organization({ name: 'Doi' })]
    const person = await core.signIn()
    const here = await core.patient(first, person)
    const there = await core.patient(second, person)
    const other = await core.signIn()
    const neighbour = await core.patient(first, other)
    await read(first.admin, here.id)
    await read(second.admin, there.id)
    await read(first.admin, neighbour.id)
    await write(first.admin, { action: 'organizations.update' })
    await write(first.admin, { patientProfileId: here.profile_id, outcome: 'failure' })
    const places = async (as: Person, query = '') =>
      (await log(as, query)).data.map((entry: Json) => entry.organization.name)
    assert.deepEqual(await places(person), ['Doi', 'Unu'])
    assert.deepEqual(await places(person, '?sort=occurred_at'), ['Unu', 'Doi'])
    assert.deepEqual(await places(person, `?organization_id=${first.id}`), ['Unu'])
    assert.deepEqual(await places(other), ['Unu'])
    const switched = await core.get('/v1/me/access-log', { as: person, headers: { 'x-organization-id': second.id } })
    assert.equal(switched.body.pagination.total, 2, 'whatever clinic is in context')
  })

  test('actions of the patient are marked as their own; services and the system by their kind', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const { profile_id } = await core.patient(clinic, person)
    await write(person, { action: 'consents.grant', crud: 'C', patientProfileId: profile_id })
    await core.database.query(
      `insert into audit_log (id, organization_id, actor_type, action, crud, target_type, patient_profile_id, key_id, personal)
       select gen_random_uuid(), organization_id, 'system', 'gdpr.export', 'E', 'x', patient_profile_id, key_id, ''
       from audit_log where patient_profile_id = $1`,
      [profile_id],
    )
    await core.database.query(
      `update audit_keys set wrapped_key = null, destroyed_at = now() where patient_profile_id = $1`,
      [profile_id],
    )
    await write(person, { action: 'consents.withdraw', patientProfileId: profile_id })
    const { data } = await log(person)
    assert.deepEqual(
      data.map(({ who, role_name, what }: Json) => [who.kind, who.name, role_name, what]),
      [
        ['you', person.name, null, 'A consent of yours was withdrawn.'],
        ['system', null, null, 'A copy of all your data was requested.'],
        ['you', null, null, 'A consent of yours was recorded.'],
      ],
      'the names in the older entries went with their key',
    )
  })

  test('the log contains no IP addresses, changes, labels, browsers or e-mail addresses', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const { profile_id } = await core.patient(clinic, person)
    const nameless = await core.member(clinic, 'admin')
    await core.database.query('update humans set name = null where id = $1', [nameless.id])
    const entry = { patientProfileId: profile_id, reason: 'Internal note' }
    await write(nameless, entry, { 'user-agent': 'Secret-Agent' })
    const { text, body } = await core.get('/v1/me/access-log', { as: person })
    assert.equal(body.data[0].who.name, null)
    for (const secret of ['127.0.0.1', 'Secret', '"a"', nameless.email, nameless.id, 'Internal', profile_id])
      assert.ok(!text.includes(secret), secret)
    assert.equal(body.data[0].what, 'Something in your record was changed.')
  })

  test('an operator’s reads are listed once each, with the reason; their reads of lists are not', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    const operator = await core.superadmin()
    const reason = 'Support ticket 4711: the record does not open'
    const opened = await core.post('/v1/admin/break-glass', {
      as: operator,
      body: { organization_id: clinic.id, patient_id: patient.id, reason },
    })
    const headers = { 'x-organization-id': clinic.id }
    await read(operator, patient.id, headers)
    await read(operator, patient.id, headers)
    await core.delete(`/v1/admin/break-glass/${opened.body.data.id}`, { as: operator })
    const { data } = await log(person)
    assert.deepEqual(
      data.map((entry: Json) => entry.what),
      ['break_glass.end', 'break_glass.read', 'break_glass.read', 'break_glass.open'].map(
        (action) => SENTENCES[action]?.en,
      ),
    )
    for (const { who, how, reason: told, role_name } of data)
      assert.deepEqual(
        [who, how, told, role_name],
        [{ name: operator.name, kind: 'operator' }, 'break_glass', reason, null],
      )
  })

  test('an operator’s read is listed with its reason for any URL and any request id', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    const operator = await core.superadmin()
    const reason = 'Support ticket 4711: the record does not open'
    await core.post('/v1/admin/break-glass', { as: operator, body: { organization_id: clinic.id, reason } })
    const headers = { 'x-organization-id': clinic.id, 'x-request-id': `chosen-${patient.id}` }
    await read(operator, patient.id, headers)
    const unnamed = await core.get(`/v1/probe/plans/${patient.id}`, { as: operator, headers })
    assert.equal(unnamed.status, 200)
    const { data } = await log(person)
    assert.deepEqual(
      data.map((entry: Json) => [entry.what, entry.how, entry.reason]),
      ['patients.read', 'break_glass.read'].map((action) => [SENTENCES[action]?.en, 'break_glass', reason]),
    )
    const { body } = await core.get('/v1/audit-logs?action=patients.read', { as: clinic.admin })
    assert.deepEqual(
      body.data.map((entry: Json) => [entry.request_id, entry.reason]),
      Array.from({ length: 2 }, () => [headers['x-request-id'], reason]),
      'the clinic finds each by the id that was answered',
    )
  })

  test('impersonation by staff is marked as such, and shows that clinic only', async () => {
    const clinic = await core.organization({ name: 'Aici' })
    const elsewhere = await core.organization({ name: 'Altundeva' })
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await read(elsewhere.admin, (await core.patient(elsewhere, person)).id)
    const token = `ti_${randomBytes(24).toString('base64url')}`
    await core.database.query(
      `insert into impersonations (organization_id, patient_id, principal_id, hash, expires_at)
       values ($1, $2, $3, $4, now() + interval '5 minutes')`,
      [clinic.id, patient.id, clinic.admin.id, hashApiKey(token)],
    )
    const seen = await log({ token })
    const traced = {
      organization: { id: clinic.id, name: 'Aici' },
      who: { name: clinic.admin.name, kind: 'staff' },
      role_name: 'Admin',
      what: SENTENCES['impersonation.read']?.en,
      how: 'impersonation',
      reason: null,
    }
    assert.deepEqual(seen.data, [{ occurred_at: seen.data[0].occurred_at, ...traced }])
    const { data } = await log(person)
    assert.deepEqual(
      data.map((entry: Json) => [entry.organization.name, entry.how]),
      [
        ['Aici', 'impersonation'],
        ['Altundeva', 'normal'],
      ],
    )
  })

  test('the texts are in the patient’s language, else the clinic’s', async () => {
    const clinic = await core.organization({ language_code: 'ro' })
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await read(clinic.admin, patient.id)
    assert.equal((await log(person)).data[0].what, 'Fișa dumneavoastră a fost deschisă.')
    await core.patch('/v1/me', { as: person, body: { preferred_language: 'en' } })
    assert.deepEqual(
      (await log(person)).data.map((entry: Json) => entry.what),
      ['The name or the language of your account was changed.', 'Your record was opened.'],
    )
  })

  test('it has pages and a date range; the total is right past the last page', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const { profile_id } = await core.patient(clinic, person)
    for (const action of ['a.a', 'patients.update', 'constructor'])
      await write(clinic.admin, { action, patientProfileId: profile_id })
    const second = await log(person, '?limit=1&page=2')
    assert.deepEqual(second.pagination, { page: 2, limit: 1, total: 3 })
    assert.equal(second.data[0].what, 'Your record was changed.')
    assert.deepEqual((await log(person, '?page=9')).pagination.total, 3)
    const at = second.data[0].occurred_at
    assert.equal((await log(person, `?occurred_at_after=${at}`)).pagination.total >= 1, true)
    assert.equal((await log(person, '?occurred_at_before=2020-01-01')).pagination.total, 0)
    const bad = await core.get('/v1/me/access-log?occurred_at_after=soon&sort=action', { as: person })
    assert.deepEqual([bad.status, Object.keys(bad.body.error.fields)], [422, ['sort', 'occurred_at_after']])
  })

  test('it is outside the consent gate; people who are not patients have none (403)', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.patient(clinic, person)
    assert.equal((await core.get('/v1/organizations', { as: person })).status, 412)
    assert.deepEqual((await log(person)).data, [])
    for (const as of [clinic.admin, await core.superadmin()]) {
      const refused = await core.get('/v1/me/access-log', { as })
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'])
    }
  })

  test('it uses an index, also in a large log', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await read(clinic.admin, patient.id)
    await core.database.query(
      `insert into audit_log (id, organization_id, actor_type, action, crud, target_type, patient_profile_id, key_id, personal)
       select gen_random_uuid(), organization_id, 'user', 'x.y', 'R', 'x', gen_random_uuid(), key_id, ''
       from audit_log, generate_series(1, 3000) where patient_profile_id = $1`,
      [patient.profile_id],
    )
    await core.database.query('analyze audit_log')
    for (const name of ['my_access_log', 'my_access_log_entries']) {
      const [source] = await core.database.query<{ prosrc: string }>('select prosrc from pg_proc where proname = $1', [
        name,
      ])
      const statement = source?.prosrc
        .replaceAll('current_app_profile_ids()', `'{${patient.profile_id}}'::uuid[]`)
        .replaceAll('p_organization_id', 'null')
        .replaceAll('p_ids', `'{${patient.id}}'::uuid[]`)
      const plan = await core.database.query(`explain ${statement}`)
      assert.doesNotMatch(JSON.stringify(plan), /Seq Scan on audit_log/, name)
    }
  })

  test('every action about patients that a feature logs has a sentence of its own', () => {
    const root = join(import.meta.dirname, '../../..')
    const sources = globSync(['features/**/*.ts', 'platform/*.ts'], { cwd: root, exclude: ['**/*.test.ts'] })
    const about = /'((?:patients|consents|gdpr|break_glass|impersonation|me)\.[a-z_]+)'/g
    const logged = sources
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .filter((text) => text.includes('action:'))
      .flatMap((text) => text.split('\n').filter((line) => line.includes('action:')))
      .flatMap((line) => [...line.matchAll(about)].map((match) => match[1] ?? ''))
    assert.ok(logged.length > 15)
    assert.deepEqual(
      logged.filter((action) => SENTENCES[action] === undefined),
      [],
    )
  })

  test('every sentence is in both languages and ends as a sentence', () => {
    for (const [action, words] of Object.entries(SENTENCES))
      for (const text of [words.en, words.ro]) assert.match(text, /^[A-ZȘÎ].*\.$/, action)
  })
})
