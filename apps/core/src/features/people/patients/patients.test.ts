import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
const VIEW = 'patients.view_org'

describe('patients', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithNotice(values = {}): Promise<TestOrganization> {
    const clinic = await core.organization(values)
    await core.publishNotice(clinic)
    return clinic
  }

  async function onboard(clinic: TestOrganization, body: Record<string, unknown> = {}, as: Person = clinic.admin) {
    const added = await core.post('/v1/patients', {
      as,
      body: { first_name: 'Maria', last_name: 'Stan', ...body },
    })
    assert.equal(added.status, 201, added.text)
    return added.body.data
  }

  const entriesOf = (clinic: { id: string }, action: string) =>
    core.database.query(
      `select actor_principal_id, crud, target_type, target_id, patient_profile_id from audit_log
       where organization_id = $1 and action = $2 order by occurred_at, id`,
      [clinic.id, action],
    )

  const eventsOf = async (clinic: { id: string }) =>
    (
      await core.database.query<{ type: string; payload: object }>(
        `select type, payload from outbox_events where organization_id = $1 and type like 'patient.%' order by id`,
        [clinic.id],
      )
    ).map(({ type, payload }) => [type, payload])

  test('patients are added by staff, with an audit row under the patient’s own key and an event with ids', async () => {
    const clinic = await clinicWithNotice()
    const desk = await core.member(clinic, 'customer_support')
    const person = {
      first_name: ' Ștefania ',
      last_name: 'Țurcan',
      email: 'Stefania@mail.example',
      phone: '0722 555 010',
      birth_date: '1984-03-09',
      sex: 'female',
      language_code: 'ro',
      address: { line1: 'Strada Lipscani 12', city: 'București', country: 'RO' },
      notes: 'Prefers the morning.',
    }
    const patient = await onboard(clinic, person, desk)
    const { id, patient_profile_id, created_at, updated_at, version, ...rest } = patient
    assert.equal(version, 1)
    assert.deepEqual(rest, {
      ...person,
      first_name: 'Ștefania',
      name: 'Ștefania Țurcan',
      status: 'unclaimed',
      has_national_id: false,
      lead_specialist_id: null,
      lead_specialist: null,
      restricted_at: null,
      merged_into_id: null,
      deleted_at: null,
    })
    assert.ok(created_at && updated_at)
    assert.deepEqual(await entriesOf(clinic, 'patients.create'), [
      { actor_principal_id: desk.id, crud: 'C', target_type: 'patient', target_id: id, patient_profile_id },
    ])
    const [key] = await core.database.query(
      `select k.patient_profile_id from audit_log a join audit_keys k on k.id = a.key_id where a.action = 'patients.create' and a.target_id = $1`,
      [id],
    )
    assert.deepEqual(key, { patient_profile_id })
    assert.deepEqual(await eventsOf(clinic), [['patient.created', { patient_id: id, patient_profile_id }]])
  })

  test('patients cannot be added before the clinic has published its notice (409), and nothing is stored', async () => {
    const clinic = await core.organization()
    const body = { first_name: 'Ion', last_name: 'Pop' }
    await core.publishNotice(await core.organization())
    const refused = await core.post('/v1/patients', { as: clinic.admin, body })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'privacy_notice_unpublished'])
    const left = await core.database.query('select 1 from patient_profiles where organization_id = $1', [clinic.id])
    assert.equal(left.length, 0)
    await core.publishNotice(clinic)
    assert.equal((await core.post('/v1/patients', { as: clinic.admin, body })).status, 201)
  })

  test('patients are added once for one Idempotency-Key', async () => {
    const clinic = await clinicWithNotice()
    const send = () =>
      core.post('/v1/patients', {
        as: clinic.admin,
        body: { first_name: 'Ion', last_name: 'Pop' },
        headers: { 'idempotency-key': 'onboard-ion' },
      })
    const answers = await Promise.all([send(), send(), send()])
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size, 1)
    assert.equal((await core.get('/v1/patients', { as: clinic.admin })).body.pagination.total, 1)
  })

  test('patients can be created with consents, recorded as a staff action', async () => {
    const clinic = await clinicWithNotice()
    const consents = [{ purpose_code: 'org_privacy_notice', purpose_version: 1 }]
    const patient = await onboard(clinic, { consents })
    const rows = await core.database.query(
      `select purpose_code, purpose_version, source, granted_by_principal_id, organization_id from consents where patient_profile_id = $1`,
      [patient.patient_profile_id],
    )
    assert.deepEqual(rows, [
      { ...consents[0], source: 'staff_action', granted_by_principal_id: clinic.admin.id, organization_id: clinic.id },
    ])
    assert.equal((await entriesOf(clinic, 'consents.grant')).length, 1)

    const body = { first_name: 'Ion', last_name: 'Pop', consents: [{ ...consents[0], purpose_version: 7 }] }
    const stale = await core.post('/v1/patients', { as: clinic.admin, body })
    assert.deepEqual([stale.status, stale.body.error.code], [409, 'stale_version'])
    const unknown = await core.post('/v1/patients', {
      as: clinic.admin,
      body: { ...body, consents: [{ purpose_code: 'nothing', purpose_version: 1 }] },
    })
    assert.deepEqual(Object.keys(unknown.body.error.fields), ['consents.0.purpose_code'])
    assert.equal((await core.get('/v1/patients', { as: clinic.admin })).body.pagination.total, 1, 'all or nothing')
  })

  test('patients with consents need the permission to record consents too', async () => {
    const clinic = await clinicWithNotice()
    const desk = await core.memberWith(clinic, [VIEW, 'patients.onboard'])
    const body = {
      first_name: 'Ion',
      last_name: 'Pop',
      consents: [{ purpose_code: 'org_privacy_notice', purpose_version: 1 }],
    }
    const refused = await core.post('/v1/patients', { as: desk, body })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'consents.manage'])
    await onboard(clinic, {}, desk)
  })

  test('patients can be changed only with the permission to view them (403 names it)', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic)
    const blind = await core.memberWith(clinic, [
      'patients.onboard',
      'patients.update',
      'patients.delete',
      'patients.impersonate',
    ])
    const body = { first_name: 'X', last_name: 'Y' }
    for (const [method, path, given] of [
      ['POST', '/v1/patients', body],
      ['PUT', `/v1/patients/${id}`, body],
      ['DELETE', `/v1/patients/${id}`],
      ['POST', `/v1/patients/${id}/invite`],
      ['PUT', `/v1/patients/${id}/profile`, { national_id: null }],
      ['POST', `/v1/patients/${id}/impersonate`, { reason: 'Because I want to see' }],
    ] as const) {
      const refused = await core.call(method, path, { as: blind, ...(given ? { body: given } : {}) })
      assert.deepEqual([refused.status, refused.body.error?.required], [403, VIEW], `${method} ${path}`)
    }
  })

  test('reading one leaves an audit row', async () => {
    const clinic = await clinicWithNotice()
    const patient = await onboard(clinic)
    const reader = await core.memberWith(clinic, [VIEW])
    const read = await core.get(`/v1/patients/${patient.id}`, { as: reader })
    assert.deepEqual([read.status, read.body.data], [200, { ...patient, linked_records: [] }])
    const { id: target_id, patient_profile_id } = patient
    assert.deepEqual(await entriesOf(clinic, 'patients.read'), [
      { actor_principal_id: reader.id, crud: 'R', target_type: 'patient', target_id, patient_profile_id },
    ])
  })

  test('PUT replaces all details: omitted ones become empty', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic, { phone: '0722', notes: 'N', sex: 'male', birth_date: '1990-01-31' })
    const changed = await core.put(`/v1/patients/${id}`, {
      as: clinic.admin,
      body: { first_name: 'Ioana', last_name: 'Stan', phone: '0733' },
    })
    assert.equal(changed.status, 200, changed.text)
    const { first_name, phone, notes, sex, birth_date } = changed.body.data
    assert.deepEqual([first_name, phone, notes, sex, birth_date], ['Ioana', '0733', null, null, null])
    const read = await core.get(`/v1/patients/${id}`, { as: clinic.admin })
    assert.deepEqual(read.body.data, { ...changed.body.data, linked_records: [] })
    const { data } = (await core.get('/v1/audit-logs?action=patients.update', { as: clinic.admin })).body
    const changes = Object.fromEntries(data[0].changes.map((c: { field: string }) => [c.field, c]))
    assert.deepEqual(changes.phone, { field: 'phone', before: '0722', after: '0733' })
    assert.deepEqual(changes.notes, { field: 'notes', before: 'N', after: null })
    assert.deepEqual(
      (await eventsOf(clinic)).map(([type]) => type),
      ['patient.created', 'patient.updated'],
    )
  })

  test('all bad fields are named with a message', async () => {
    const clinic = await clinicWithNotice()
    const send = (body: object) => core.post('/v1/patients', { as: clinic.admin, body })
    const shape = await send({ first_name: ' ', sex: 'x', birth_date: '1899-12-31', language_code: '!', email: 'no' })
    assert.deepEqual(shape.body.error.fields, {
      first_name: 'must not be blank',
      last_name: 'is required',
      sex: 'must be one of female, male, other, unknown, null',
      birth_date: 'must be a date from 1900-01-01 to today',
      language_code: 'must be a language code such as en or ro',
      email: 'must be an e-mail address',
    })
    const person = { first_name: 'Ion', last_name: 'Pop', birth_date: '2099-01-01', invite: true, national_id: '1-2-3' }
    assert.deepEqual((await send(person)).body.error.fields, {
      birth_date: 'must be a date from 1900-01-01 to today',
      email: 'is required to invite the person',
      national_id: 'must have at least 4 letters or digits',
    })
    const put = await core.put(`/v1/patients/${UNKNOWN}`, { as: clinic.admin, body: { first_name: 'A' } })
    assert.deepEqual(put.body.error.fields, { last_name: 'is required' })
  })

  test('deleted ones are gone for all but holders of data.view_deleted, who ask for them', async () => {
    const clinic = await clinicWithNotice()
    const staff = await core.memberWith(clinic, [VIEW, 'patients.delete', 'patients.update'])
    const kept = await onboard(clinic, { first_name: 'Kept' })
    const { id } = await onboard(clinic, { first_name: 'Gone' })
    assert.equal((await core.delete(`/v1/patients/${id}`, { as: staff })).status, 204)
    const names = async (as: Person, query = '') =>
      (await core.get(`/v1/patients${query}`, { as })).body.data.map((row: { first_name: string }) => row.first_name)
    assert.deepEqual(await names(staff), ['Kept'])
    assert.deepEqual(await names(staff, '?deleted=true'), [])
    assert.deepEqual(await names(staff, '?q=gone&deleted=true,false'), [])
    assert.deepEqual(await names(clinic.admin), ['Kept'])
    assert.deepEqual(await names(clinic.admin, '?deleted=true'), ['Gone'])
    assert.deepEqual(await names(clinic.admin, '?deleted=true,false&sort=first_name'), ['Gone', 'Kept'])
    assert.equal((await core.get(`/v1/patients/${id}`, { as: staff })).status, 404)
    assert.ok((await core.get(`/v1/patients/${id}`, { as: clinic.admin })).body.data.deleted_at)
    const body = { first_name: 'X', last_name: 'Y' }
    for (const as of [staff, clinic.admin]) {
      assert.equal((await core.put(`/v1/patients/${id}`, { as, body })).status, 404, 'no longer changed')
      assert.equal((await core.delete(`/v1/patients/${id}`, { as })).status, 404)
    }
    assert.equal((await entriesOf(clinic, 'patients.delete')).length, 1)
    assert.deepEqual((await eventsOf(clinic)).at(-1)?.[0], 'patient.deleted')
    assert.equal((await core.get(`/v1/patients/${kept.id}`, { as: staff })).status, 200)
  })

  test('of a PUT and a DELETE at once, the PUT comes first or is a 404', async () => {
    const clinic = await clinicWithNotice()
    for (let round = 0; round < 8; round += 1) {
      const { id } = await onboard(clinic)
      const body = { first_name: 'Changed', last_name: 'Stan' }
      const [put, gone, again] = await Promise.all([
        core.put(`/v1/patients/${id}`, { as: clinic.admin, body }),
        core.delete(`/v1/patients/${id}`, { as: clinic.admin }),
        core.delete(`/v1/patients/${id}`, { as: clinic.admin }),
      ])
      assert.ok([200, 404].includes(put.status), put.text)
      assert.deepEqual(new Set([gone.status, again.status]), new Set([204, 404]))
      const [row] = await core.database.query('select first_name, deleted_at from patients where id = $1', [id])
      assert.ok(row?.deleted_at)
      assert.equal(row.first_name, put.status === 200 ? 'Changed' : 'Maria')
    }
  })

  test('while processing is restricted every change is refused (409), and reading is allowed', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic, { email: 'maria@mail.example', national_id: 'AB 1234' })
    await core.database.query('update patients set restricted_at = now() where id = $1', [id])
    for (const [method, path, body] of [
      ['PUT', '', { first_name: 'X', last_name: 'Y' }],
      ['DELETE', ''],
      ['POST', '/invite'],
      ['PUT', '/profile', { national_id: null }],
    ] as const) {
      const refused = await core.call(method, `/v1/patients/${id}${path}`, {
        as: clinic.admin,
        ...(body ? { body } : {}),
      })
      assert.deepEqual([refused.status, refused.body.error?.code], [409, 'processing_restricted'], method + path)
    }
    const read = await core.get(`/v1/patients/${id}`, { as: clinic.admin })
    assert.equal(read.body.data.first_name, 'Maria')
    assert.ok(read.body.data.restricted_at)
    const listed = async (query: string) =>
      (await core.get(`/v1/patients?${query}`, { as: clinic.admin })).body.pagination.total
    assert.deepEqual([await listed('restricted=true'), await listed('restricted=false')], [1, 0])
  })

  test('patients are found by the profile id that events contain, in their own clinic only', async () => {
    const [own, other] = [await clinicWithNotice(), await clinicWithNotice()]
    const [first, second, foreign] = [await onboard(own), await onboard(own), await onboard(other)]
    const listed = async (...profiles: { patient_profile_id: string }[]) => {
      const query = `patient_profile_id=${profiles.map((one) => one.patient_profile_id).join()}&sort=created_at`
      const { body } = await core.get(`/v1/patients?${query}`, { as: own.admin })
      return body.data.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await listed(first), [first.id])
    assert.deepEqual(new Set(await listed(first, second)), new Set([first.id, second.id]))
    assert.deepEqual(await listed(foreign), [])
  })

  test('patients of another clinic are not found, like those that do not exist', async () => {
    const own = await clinicWithNotice()
    const other = await clinicWithNotice()
    const { id } = await onboard(other, { national_id: 'AB 1234' })
    const body = { first_name: 'X', last_name: 'Y' }
    for (const [method, path, given] of [
      ['GET', ''],
      ['PUT', '', body],
      ['DELETE', ''],
      ['POST', '/invite'],
      ['POST', '/impersonate', { reason: 'Because I want to see' }],
    ] as const) {
      const answerFor = async (patientId: string) => {
        const options = { as: own.admin, ...(given ? { body: given } : {}) }
        const { status, body } = await core.call(method, `/v1/patients/${patientId}${path}`, options)
        return { status, body }
      }
      const foreign = await answerFor(id)
      assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'patient_not_found'], method + path)
      assert.deepEqual(foreign, await answerFor(UNKNOWN))
    }
    assert.equal((await core.get('/v1/patients', { as: own.admin })).body.pagination.total, 0)
    assert.deepEqual((await core.get(`/v1/patients/picker?ids=${id}`, { as: own.admin })).body.data, [])
    const untouched = await core.get(`/v1/patients/${id}`, { as: other.admin })
    assert.deepEqual([untouched.body.data.first_name, untouched.body.data.deleted_at], ['Maria', null])
  })

  test('staff who are patients, here or elsewhere, see patients only by permission', async () => {
    const own = await clinicWithNotice()
    const other = await clinicWithNotice()
    const reader = await core.memberWith(own, [VIEW])
    const elsewhere = await core.patient(other, reader, { first_name: 'Myself', last_name: 'Elsewhere' })
    const here = await core.patient(own, reader, { first_name: 'Myself', last_name: 'Here' })
    assert.equal((await core.get(`/v1/patients/${elsewhere.id}`, { as: reader })).status, 404)
    const { data } = (await core.get('/v1/patients', { as: reader })).body
    assert.deepEqual(
      data.map((row: { id: string }) => row.id),
      [here.id],
    )
    await core.database.query('update patients set deleted_at = now() where id = $1', [here.id])
    assert.equal((await core.get('/v1/patients?deleted=true', { as: reader })).body.pagination.total, 0)
    assert.equal((await core.get(`/v1/patients/${here.id}`, { as: reader })).status, 404)
  })

  test('patients are listed by filter, range and order; names sort alphabetically', async () => {
    const clinic = await clinicWithNotice()
    for (const [last_name, birth_date, sex, language_code] of [
      ['Țurcan', '1980-05-05', 'female', 'ro'],
      ['Zamfir', '1990-01-31', 'male', 'en'],
      ['stan', '2000-12-31', 'female', 'ro'],
      ['Ștefan', '1970-01-01', 'other', null],
      ['Tudor', null, null, 'ro'],
    ])
      await onboard(clinic, { last_name, birth_date, sex, language_code })
    const names = async (query: string) =>
      (await core.get(`/v1/patients?${query}`, { as: clinic.admin })).body.data
        .map((row: { last_name: string }) => row.last_name)
        .join(' ')
    assert.equal(await names('sort=last_name'), 'stan Ștefan Tudor Țurcan Zamfir')
    assert.equal(await names('sort=-birth_date&birth_date_after=1900-01-01'), 'stan Zamfir Țurcan Ștefan')
    assert.equal(
      await names('sort=birth_date&birth_date_after=1970-01-01&birth_date_before=1980-05-05'),
      'Ștefan Țurcan',
    )
    assert.equal(await names('sex=female,other&sort=last_name'), 'stan Ștefan Țurcan')
    assert.equal(await names('sex=nonsense&language_code=ro&sort=last_name'), 'stan Tudor Țurcan')
    assert.equal(await names(''), 'Tudor Ștefan stan Zamfir Țurcan', 'newest first')
    assert.equal(await names('limit=2&page=2&sort=last_name'), 'Tudor Țurcan')
    const refused = await core.get('/v1/patients?sort=notes', { as: clinic.admin })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['sort']])
  })

  test('the owner sees their records at each clinic, without the clinic’s notes, and nobody else’s', async () => {
    const one = await clinicWithNotice({ name: 'Unu' })
    const two = await clinicWithNotice({ name: 'Doi' })
    const person = await core.signIn()
    const stranger = await core.signIn()
    const records = [await core.patient(one, person), await core.patient(two, person, { first_name: 'Mara' })]
    await core.patient(one, stranger)
    await core.database.query(`update patients set notes = 'Secret note' where id = $1`, [records[0]?.id])
    for (const record of records) await core.acceptAll(record)
    const { status, body, text } = await core.get('/v1/me/patient-records?sort=created_at', { as: person })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.data.map((row: { id: string; organization: { name: string }; name: string }) => [
        row.id,
        row.organization.name,
        row.name,
      ]),
      [
        [records[0]?.id, 'Unu', 'Maria Stan'],
        [records[1]?.id, 'Doi', 'Mara Stan'],
      ],
    )
    assert.equal(body.pagination.total, 2)
    assert.doesNotMatch(text, /notes|Secret/)
    assert.equal((await core.get('/v1/patients', { as: person })).status, 403, 'not the clinic’s list')
    const staff = await core.get('/v1/me/patient-records', { as: one.admin })
    assert.deepEqual([staff.status, staff.body.error.code], [403, 'forbidden'])
    for (const clinic of [one, two]) {
      const { data } = (await core.get('/v1/patients?claimed=true', { as: clinic.admin })).body
      assert.ok(data.every((row: { id: string }) => row.id !== records[clinic === one ? 1 : 0]?.id))
    }
  })
})
