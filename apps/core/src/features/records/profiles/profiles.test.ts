import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const CNP = '2840309410017'

describe('profiles', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
    await field(clinic, { key: 'note', label: 'Note', field_type: 'textarea', is_private: true })
    await field(clinic, { key: 'pain', label: 'Pain', field_type: 'number' })
    await field(clinic, { key: 'since', label: 'Since', field_type: 'date' })
    await field(clinic, { key: 'side', label: 'Side', field_type: 'radio', options: ['Left', 'Right'] })
    await field(clinic, { key: 'sports', label: 'Sports', field_type: 'checkbox', options: ['Running', 'Chess'] })
  })
  after(() => core.close())

  async function field(of: TestOrganization, values: object) {
    const body = { entity_type: 'patient', field_type: 'text', label: 'Label', ...values }
    const answer = await core.post('/v1/custom-fields', { as: of.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const at = (id: string) => `/v1/patients/${id}/profile`
  const put = (id: string, body: unknown, as: Person = clinic.admin) => core.put(at(id), { as, body })
  const read = (id: string, as: Person = clinic.admin) => core.get(at(id), { as })
  const prefill = (id: string, keys: string, as: Person = clinic.admin) =>
    core.get(`/v1/patients/${id}/prefill?keys=${keys}`, { as })

  async function owner(of = clinic, person?: Person) {
    const signedIn = person ?? (await core.signIn())
    const patient = await core.patient(of, signedIn)
    await core.acceptAll(patient)
    return { ...patient, person: signedIn }
  }

  function refused(answer: Answer, ...fields: string[]) {
    assert.deepEqual([answer.status, answer.body.name], [400, 'ValidationError'], answer.text)
    const named = answer.body.details.errors.map((one: { field: string }) => one.field)
    assert.deepEqual(named.sort(), fields.sort(), answer.text)
    return answer.body.details.errors
  }
  const unknown = ({ status, body }: Answer) => assert.deepEqual([status, body.name], [404, 'NotFoundError'])
  const actionsAbout = async (profileId: string) =>
    (
      await core.database.query<{ action: string }>(
        'select action from audit_log where patient_profile_id = $1 order by occurred_at, id',
        [profileId],
      )
    ).map(({ action }) => action)
  const eventsAbout = (patientId: string) =>
    core.database.query(`select type, payload from outbox_events where payload->>'patient_id' = $1 order by id`, [
      patientId,
    ])

  test('profiles show the fields in their order and the values that are set; access by staff is logged', async () => {
    const { id, profile_id } = await core.patient(clinic)
    const empty = await read(id)
    assert.equal(empty.status, 200, empty.text)
    assert.deepEqual([empty.body.patient_id, empty.body.profile], [id, {}])
    assert.deepEqual(empty.body.fields[1], {
      key: 'occupation',
      label: 'Occupation',
      field_type: 'text',
      is_private: false,
      system_key: 'occupation',
      options: null,
      description: null,
    })
    await put(id, { sports: ['Chess'], occupation: 'Teacher', pain: 3.5 })
    assert.deepEqual((await read(id)).body.profile, { occupation: 'Teacher', pain: 3.5, sports: ['Chess'] })
    assert.deepEqual(await actionsAbout(profile_id), [
      'patients.read_profile',
      'patients.update_profile',
      'patients.read_profile',
    ])
  })

  test('PUT changes the given fields, null clears, the rest stays; the change is audited and published', async () => {
    const { id, profile_id } = await core.patient(clinic)
    const first = await put(id, { occupation: 'Teacher', since: '2024-02-29', side: 'Left' })
    assert.deepEqual(first.body, {
      patient_id: id,
      profile: { occupation: 'Teacher', since: '2024-02-29', side: 'Left' },
      version: first.body.version,
    })
    assert.equal(first.headers.get('etag'), `"${first.body.version}"`)
    const second = await put(id, { occupation: null, side: 'Right' })
    assert.deepEqual(second.body.profile, { since: '2024-02-29', side: 'Right' })
    assert.equal((await put(id, { side: 'Right', occupation: ' ', sports: [] })).status, 200)
    assert.deepEqual(await actionsAbout(profile_id), ['patients.update_profile', 'patients.update_profile'])
    const payload = { patient_id: id, patient_profile_id: profile_id }
    assert.deepEqual(
      await eventsAbout(id),
      [1, 2].map(() => ({ type: 'patient.profile.updated', payload })),
    )
    const { body } = await core.get('/v1/audit-logs?action=patients.update_profile&limit=1', { as: clinic.admin })
    assert.deepEqual(body.data[0].changes, [
      { field: 'occupation', before: 'Teacher', after: null },
      { field: 'side', before: 'Left', after: 'Right' },
    ])
  })

  test('an empty update changes nothing (200)', async () => {
    const { id } = await core.patient(clinic)
    const { version } = (await put(id, { occupation: 'Teacher' })).body
    const { status, body } = await put(id, {})
    assert.deepEqual([status, body.profile, body.version], [200, { occupation: 'Teacher' }, version])
  })

  test('unknown keys and invalid values are refused, each by name, and nothing is written', async () => {
    const { id } = await core.patient(clinic)
    const wrong = {
      occupation: 7,
      emergency_phone: 'call me',
      pain: '3',
      since: '2023-02-29',
      side: 'Up',
      sports: ['Running', 'Running'],
      note: ['x'],
      constructor: 'x',
      hobby: 'x',
    }
    refused(await put(id, { ...wrong, allergies: 'Nuts' }), ...Object.keys(wrong))
    assert.deepEqual((await read(id)).body.profile, {})
    for (const body of ['[]', '"x"', 'null', '']) refused(await put(id, body), 'body')
  })

  test('parallel PUTs of different keys lose none, and of the same key leave one of the values', async () => {
    const { id, profile_id } = await core.patient(clinic)
    const values: Record<string, unknown> = {
      occupation: 'Teacher',
      emergency_contact: 'Ion',
      emergency_phone: '+40 722 555 010',
      referring_doctor: 'Dr. Pop',
      allergies: 'Nuts',
      pain: 4,
      side: 'Left',
      national_id: 'AB 998877',
    }
    const answers = await Promise.all(
      Object.entries(values).flatMap(([key, value]) => [
        put(id, { [key]: value }),
        put(id, { note: key, [key]: value }),
      ]),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const { note, ...rest } = (await read(id)).body.profile
    assert.deepEqual(rest, values)
    assert.ok(note in values)
    const updates = (await actionsAbout(profile_id)).filter((action) => action === 'patients.update_profile')
    assert.ok(updates.length >= Object.keys(values).length)
  })

  test('a patient reads and changes their own profile, without private fields, on every route', async () => {
    const { id, profile_id, person } = await owner()
    await put(id, { note: 'Difficult', occupation: 'Teacher' })
    const own = await read(id, person)
    assert.equal(own.status, 200, own.text)
    assert.deepEqual(own.body.profile, { occupation: 'Teacher' })
    const changed = await put(id, { occupation: 'Painter' }, person)
    assert.deepEqual(changed.body.profile, { occupation: 'Painter' })
    const filled = await prefill(id, 'note,occupation,national_id', person)
    assert.deepEqual(filled.body, { patient_id: id, values: { occupation: 'Painter' } })
    const eyes = await core.post(`/v1/patients/${id}/impersonate`, {
      as: clinic.admin,
      body: { reason: 'The patient asked for help' },
    })
    const seen = await core.get(at(id), { as: { token: eyes.body.data.token } })
    assert.equal(seen.status, 200, seen.text)
    const stale = await core.put(at(id), {
      as: person,
      body: { occupation: 'Baker' },
      headers: { 'if-match': own.headers.get('etag') ?? '' },
    })
    assert.deepEqual([stale.status, stale.body.error?.current?.profile], [409, { occupation: 'Painter' }], stale.text)
    for (const { text } of [own, changed, filled, seen, stale])
      assert.doesNotMatch(text, /Difficult|"note"|national_id/)
    refused(await put(id, { note: 'Mine', occupation: 'x' }, person), 'note')
    refused(await put(id, { national_id: CNP }, person), 'national_id')
    assert.equal((await read(id)).body.profile.note, 'Difficult')
    const read1 = (await actionsAbout(profile_id)).filter((action) => action === 'patients.read_profile')
    assert.equal(read1.length, 1, 'what patients read of themselves is not logged')
  })

  test('a field that becomes private is hidden from the patient once that is published', async () => {
    const own = await core.organization()
    const secret = await field(own, { key: 'remark' })
    const { id, person } = await owner(own)
    await put(id, { remark: 'Seen' }, own.admin)
    const seen = async () => (await read(id, person)).body.profile
    await core.patch(`/v1/custom-fields/${secret.id}`, { as: own.admin, body: { is_private: true } })
    assert.deepEqual(await seen(), { remark: 'Seen' })
    await core.post(`/v1/custom-fields/${secret.id}/publish`, { as: own.admin })
    assert.deepEqual(await seen(), {})
    refused(await put(id, { remark: 'Mine' }, person), 'remark')
  })

  test('another patient’s profile is not found, like one that does not exist', async () => {
    const { person } = await owner()
    const neighbour = await owner()
    const elsewhere = await owner(await core.organization())
    for (const id of [neighbour.id, elsewhere.id, randomUUID()]) {
      unknown(await read(id, person))
      unknown(await put(id, { occupation: 'x' }, person))
      unknown(await prefill(id, 'occupation', person))
      if (id !== neighbour.id)
        for (const answer of [await read(id), await put(id, { occupation: 'x' })]) unknown(answer)
    }
  })

  test('staff who are patients of their clinic open their own record as its patient', async () => {
    const colleague = await core.member(clinic, 'specialist')
    const { id } = await owner(clinic, colleague)
    await put(id, { note: 'Difficult', national_id: 'XY 112233', pain: 1 })
    assert.deepEqual((await read(id, colleague)).body.profile, { pain: 1 })
    refused(await put(id, { note: 'Easy' }, colleague), 'note')
    const other = await core.patient(clinic)
    assert.equal((await put(other.id, { note: 'Calm' }, colleague)).body.profile.note, 'Calm')
  })

  test('a person with two records at a clinic is the patient of both', async () => {
    const person = await core.memberWith(clinic, ['patients.view_org', 'patients.update'])
    const mine = [await owner(clinic, person), await owner(clinic, person)]
    for (const { id } of mine) {
      await put(id, { note: 'Secret' })
      assert.ok(!('note' in (await read(id, person)).body.profile))
      assert.deepEqual((await prefill(id, 'note', person)).body.values, {})
      refused(await put(id, { note: 'x' }, person), 'note')
      assert.equal((await put(id, { occupation: 'Nurse' }, person)).status, 200)
    }
    const { person: plain } = await owner()
    const { id } = await owner(clinic, plain)
    assert.equal((await put(id, { occupation: 'Nurse' }, plain)).status, 200)
  })

  test('reading needs the permission to view patients, writing the one to update them', async () => {
    const { id } = await core.patient(clinic)
    const reader = await core.memberWith(clinic, ['patients.view_org'])
    const writer = await core.memberWith(clinic, ['patients.view_org', 'patients.update'])
    const none = await core.memberWith(clinic, ['custom_fields.manage'])
    assert.equal((await put(id, { occupation: 'Teacher', note: 'n' }, writer)).status, 200)
    assert.deepEqual((await read(id, reader)).body.profile, { note: 'n', occupation: 'Teacher' })
    assert.equal((await put(id, { occupation: 'x' }, reader)).body.error.required, 'patients.update')
    assert.equal((await read(id, none)).body.error.required, 'patients.view_org')
    assert.equal((await prefill(id, 'occupation', none)).body.error.required, 'patients.view_org')
    const patientToo = await core.memberWith(clinic, ['patients.view_org'])
    await owner(clinic, patientToo)
    const answer = await put(id, { occupation: 'x' }, patientToo)
    assert.deepEqual([answer.status, answer.body.error.required], [403, 'patients.update'])
  })

  test('the identification number is stored in its encrypted column, never as a value', async () => {
    const { id, profile_id } = await core.patient(clinic)
    assert.deepEqual((await put(id, { national_id: CNP, pain: 2 })).body.profile, { national_id: CNP, pain: 2 })
    const rows = await core.database.query('select value from custom_field_values where entity_id = $1', [id])
    assert.deepEqual(rows, [{ value: 2 }])
    const [profile] = await core.database.query<{ kept: boolean }>(
      'select national_id_encrypted is not null as kept from patient_profiles where id = $1',
      [profile_id],
    )
    assert.ok(profile?.kept)
    assert.deepEqual((await prefill(id, 'national_id,pain')).body.values, { pain: 2 })
    const payload = { patient_id: id, patient_profile_id: profile_id }
    assert.deepEqual(await eventsAbout(id), [
      { type: 'patient.updated', payload },
      { type: 'patient.profile.updated', payload },
    ])
    const [number] = await core.database.query<{ id: string }>(
      `select id from custom_fields where organization_id = $1 and key = 'national_id'`,
      [clinic.id],
    )
    await assert.rejects(
      core.database.query(
        `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, '"x"')`,
        [clinic.id, number?.id, id],
      ),
      /kept encrypted/,
    )
    assert.ok(!core.log.join('\n').includes(CNP))
  })

  test('prefill returns the values of the given keys only', async () => {
    const { id, profile_id } = await core.patient(clinic)
    await put(id, { occupation: 'Teacher', sports: ['Chess'], note: 'n' })
    const answer = await prefill(id, 'occupation,%20sports,pain,nothing,occupation')
    assert.deepEqual(answer.body, { patient_id: id, values: { occupation: 'Teacher', sports: ['Chess'] } })
    assert.ok((await actionsAbout(profile_id)).includes('patients.prefill'))
    refused(await core.get(`/v1/patients/${id}/prefill`, { as: clinic.admin }), 'keys')
    refused(await prefill(id, ''), 'keys')
    unknown(await prefill(randomUUID(), 'pain'))
  })

  test('a draft changes nothing in profiles; the published version applies', async () => {
    const own = await core.organization()
    const { id } = await core.patient(own)
    const made = await field(own, { key: 'size', field_type: 'select', options: ['S', 'M'] })
    await put(id, { size: 'S' }, own.admin)
    await core.patch(`/v1/custom-fields/${made.id}`, { as: own.admin, body: { options: ['M', 'L'], label: 'New' } })
    refused(await put(id, { size: 'L' }, own.admin), 'size')
    await core.post(`/v1/custom-fields/${made.id}/publish`, { as: own.admin })
    assert.equal((await read(id, own.admin)).body.profile.size, 'S', 'what was chosen before stays')
    assert.equal((await put(id, { size: 'L' }, own.admin)).status, 200)
    await core.delete(`/v1/custom-fields/${made.id}`, { as: own.admin })
    assert.deepEqual((await read(id, own.admin)).body.profile, {})
    refused(await put(id, { size: 'L' }, own.admin), 'size')
  })

  test('deleting a field while its values are written leaves none behind', async () => {
    const own = await core.organization()
    const patients = await Promise.all(Array.from({ length: 4 }, () => core.patient(own)))
    for (let turn = 0; turn < 4; turn += 1) {
      const made = await field(own, { key: `racing_${turn}` })
      await Promise.all([
        ...patients.flatMap(({ id }) => [
          put(id, { [made.key]: 'a' }, own.admin),
          put(id, { [made.key]: 'b' }, own.admin),
        ]),
        core.delete(`/v1/custom-fields/${made.id}`, { as: own.admin }),
      ])
      const left = await core.database.query('select 1 from custom_field_values where custom_field_id = $1', [made.id])
      assert.equal(left.length, 0)
    }
  })

  test('while processing is restricted nothing changes, for staff and for the patient', async () => {
    const { id, person } = await owner()
    await put(id, { occupation: 'Teacher' })
    await core.database.query('update patients set restricted_at = now() where id = $1', [id])
    for (const as of [clinic.admin, person]) {
      const answer = await put(id, { occupation: null }, as)
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'processing_restricted'])
      assert.equal((await read(id, as)).body.profile.occupation, 'Teacher')
    }
  })

  test('of specialists are read with specialists.view_org and changed with specialists.manage', async () => {
    await field(clinic, { entity_type: 'specialist', key: 'licence', label: 'Licence', is_private: true })
    const body = { name: 'Ana Pop', slug: 'ana-pop' }
    const { data: specialist } = (await core.post('/v1/specialists', { as: clinic.admin, body })).body
    const path = `/v1/specialists/${specialist.id}/profile`
    const viewer = await core.memberWith(clinic, ['specialists.view_org'])
    const manager = await core.memberWith(clinic, ['specialists.manage'])
    const changed = await core.put(path, { as: manager, body: { licence: 'RO-77' } })
    const { version } = changed.body
    assert.deepEqual(changed.body, { specialist_id: specialist.id, profile: { licence: 'RO-77' }, version })
    const { body: shown } = await core.get(path, { as: viewer })
    assert.deepEqual(
      [shown.specialist_id, shown.profile, shown.fields[0].key],
      [specialist.id, { licence: 'RO-77' }, 'licence'],
    )
    const denied = await core.put(path, { as: viewer, body: { licence: 'x' } })
    assert.deepEqual([denied.status, denied.body.error.required], [403, 'specialists.manage'])
    refused(await core.put(path, { as: manager, body: { occupation: 'x', licence: 1 } }), 'occupation', 'licence')
    const entries = await core.database.query(
      `select crud from audit_log where target_id = $1 and action = 'specialists.update_profile'`,
      [specialist.id],
    )
    assert.deepEqual(entries, [{ crud: 'U' }])
    const foreign = await core.organization()
    for (const as of [foreign.admin, clinic.admin]) {
      const id = as === clinic.admin ? randomUUID() : specialist.id
      unknown(await core.get(`/v1/specialists/${id}/profile`, { as }))
      unknown(await core.put(`/v1/specialists/${id}/profile`, { as, body: { licence: 'x' } }))
    }
    const { person } = await owner()
    assert.equal((await core.get(path, { as: person })).status, 403)
  })
})
