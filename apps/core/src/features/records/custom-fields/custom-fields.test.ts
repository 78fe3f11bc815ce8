import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { CustomField } from '@tendon/contracts'
import { MAX_CUSTOM_FIELDS } from '@tendon/contracts'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const SPORTS = {
  entity_type: 'patient',
  key: 'sports',
  label: 'Sports',
  field_type: 'checkbox',
  options: ['Running', 'Swimming'],
}

describe('custom fields', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  const at = (id: string, rest = '') => `/v1/custom-fields/${id}${rest}`
  const create = (values: object, of = clinic) =>
    core.post('/v1/custom-fields', { as: of.admin, body: { ...SPORTS, ...values } })
  const edit = (id: string, body: object, of = clinic) => core.patch(at(id), { as: of.admin, body })
  const publish = (id: string, of = clinic) => core.post(at(id, '/publish'), { as: of.admin })
  const rollback = (id: string, version: unknown) =>
    core.post(at(id, '/rollback'), { as: clinic.admin, body: { version } })
  const versionsOf = async (id: string) => (await core.get(at(id, '/versions'), { as: clinic.admin })).body
  const newKey = () => `k_${randomUUID().slice(0, 8)}`

  async function made(values: object = {}, of = clinic) {
    const answer = await create({ key: newKey(), ...values }, of)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  async function listed(of = clinic, query = ''): Promise<CustomField[]> {
    const { body } = await core.get(`/v1/custom-fields${query}`, { as: of.admin })
    return body.fields
  }

  function refused(answer: Answer, status: number, name: string, ...fields: string[]) {
    assert.deepEqual([answer.status, answer.body.status, answer.body.name], [status, status, name], answer.text)
    assert.equal(typeof answer.body.message, 'string')
    const named = (answer.body.details.errors ?? []).map((one: { field: string }) => one.field)
    assert.deepEqual(named.sort(), fields.sort(), answer.text)
    return answer.body.details
  }

  test('custom fields are created published, as version 1', async () => {
    const key = newKey()
    const { status, body } = await create({ key, label: '  Sporturi ', description: 'Weekly', sort_order: 3 })
    assert.equal(status, 201)
    const { id, created_at, updated_at, revision, ...field } = body.data
    assert.equal(revision, 1)
    assert.ok(id && created_at && updated_at)
    assert.deepEqual(field, {
      ...SPORTS,
      organization_id: clinic.id,
      key,
      label: 'Sporturi',
      description: 'Weekly',
      is_private: false,
      sort_order: 3,
      system_key: null,
      version: 1,
      published: true,
    })
    const [version] = await versionsOf(id)
    assert.deepEqual(version.fields, {
      key,
      label: 'Sporturi',
      field_type: 'checkbox',
      options: SPORTS.options,
      description: 'Weekly',
      is_private: false,
      sort_order: 3,
      system_key: null,
    })
    const entries = await core.database.query(
      `select action, crud from audit_log where organization_id = $1 and target_id = $2`,
      [clinic.id, id],
    )
    assert.deepEqual(entries, [{ action: 'custom_fields.create', crud: 'C' }])
  })

  test('a repeated create with the same Idempotency-Key creates one field', async () => {
    const body = { ...SPORTS, key: newKey() }
    const headers = { 'idempotency-key': 'once-and-again' }
    const [one, two] = [
      await core.post('/v1/custom-fields', { as: clinic.admin, body, headers }),
      await core.post('/v1/custom-fields', { as: clinic.admin, body, headers }),
    ]
    assert.deepEqual([one.status, two.status, one.body.data.id], [201, 201, two.body.data.id])
  })

  test('custom fields are listed in their order, by entity type where one is named; an unknown one is dropped', async () => {
    const own = await core.organization()
    const late = await made({ key: 'late', sort_order: 20 }, own)
    await made({ key: 'early', sort_order: 10 }, own)
    await made({ key: 'title', entity_type: 'specialist', field_type: 'text', options: undefined }, own)
    const keys = async (query: string) =>
      (await listed(own, query)).filter(({ system_key }) => !system_key).map((field) => field.key)
    assert.deepEqual(await keys(''), ['early', 'late', 'title'])
    assert.deepEqual(await keys('?entity_type=patient'), ['early', 'late'])
    assert.deepEqual(await keys('?entity_type=specialist'), ['title'])
    assert.deepEqual(await keys('?entity_type=unknown&page=x&sort=none'), ['early', 'late', 'title'])
    await edit(late.id, { sort_order: 1 }, own)
    assert.deepEqual(await keys('?entity_type=patient'), ['late', 'early'], 'the draft is what is worked on')
  })

  test('a key is unique within clinic and entity type, and free again after a deletion', async () => {
    const key = newKey()
    const first = await made({ key })
    const details = refused(await create({ key }), 400, 'ValidationError', 'key')
    assert.match(details.errors[0].message, /another field/)
    await made({ key, entity_type: 'specialist' })
    const other = await core.organization()
    await made({ key }, other)
    assert.equal((await core.delete(at(first.id), { as: clinic.admin })).status, 204)
    const again = await made({ key })
    assert.equal(again.version, 1)
    assert.notEqual(again.id, first.id)
  })

  test('of two parallel creates with one key one wins', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ key })))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 400, 400, 400, 400, 400],
    )
  })

  test('every bad member of a body is named (400 ValidationError)', async () => {
    const body = { entity_type: 'clinic', key: 'Not A Key', field_type: 'colour', label: ' ', system_key: 'x', more: 1 }
    const answer = await core.post('/v1/custom-fields', { as: clinic.admin, body })
    refused(answer, 400, 'ValidationError', 'entity_type', 'key', 'field_type', 'label', 'system_key', 'more')
    refused(
      await core.post('/v1/custom-fields', { as: clinic.admin, body: {} }),
      400,
      'ValidationError',
      'entity_type',
      'key',
      'label',
      'field_type',
    )
    refused(await core.post('/v1/custom-fields', { as: clinic.admin, body: '{' }), 400, 'ValidationError', 'body')
    for (const nothing of ['[]', 'null', '"x"'])
      refused(await core.post('/v1/custom-fields', { as: clinic.admin, body: nothing }), 400, 'ValidationError', 'body')
  })

  test('errors between fields are reported together with errors of single fields', async () => {
    const wrong = { entity_type: 'clinic', label: ' ' }
    const named = ['entity_type', 'label']
    for (const field_type of ['select', 'radio', 'checkbox'])
      for (const options of [undefined, null, ['Same', ' Same ']])
        refused(await create({ ...wrong, field_type, options }), 400, 'ValidationError', ...named, 'options')
    for (const options of [[], 'x', ['x', 5]]) {
      const place = Array.isArray(options) && options.length > 0 ? 'options.1' : 'options'
      refused(await create({ ...wrong, field_type: 'select', options }), 400, 'ValidationError', ...named, place)
    }
    const number = { ...wrong, field_type: 'text', key: 'cnp', options: ['A'] }
    refused(await create(number), 400, 'ValidationError', ...named, 'options', 'key')
    for (const [name, value] of [
      ['field_type', 'colour'],
      ['field_type', 5],
      ['key', 5],
      ['options', { length: 1 }],
    ] as const)
      refused(await create({ ...wrong, [name]: value }), 400, 'ValidationError', ...named, name)
  })

  test('options are required for select, radio and checkbox, and refused elsewhere', async () => {
    for (const field_type of ['select', 'radio', 'checkbox'])
      for (const options of [undefined, null, [], ['Same', 'Same'], ['Same', ' Same '], [' ']])
        refused(
          await create({ key: newKey(), field_type, options }),
          400,
          'ValidationError',
          options?.[0] === ' ' ? 'options.0' : 'options',
        )
    for (const field_type of ['text', 'textarea', 'date', 'number', 'email', 'phone']) {
      refused(await create({ key: newKey(), field_type, options: ['A'] }), 400, 'ValidationError', 'options')
      const field = await made({ field_type, options: null })
      refused(await edit(field.id, { options: ['A'] }), 400, 'ValidationError', 'options')
    }
    const select = await made({ field_type: 'select' })
    refused(await edit(select.id, { options: null }), 400, 'ValidationError', 'options')
    assert.deepEqual((await edit(select.id, { options: ['B '] })).body.data.options, ['B'])
  })

  test('a field that asks for a national identification number is refused, in key and label, also by an edit', async () => {
    const text = { field_type: 'text', options: undefined }
    for (const [key, label, ...fields] of [
      ['cnp', 'Identifier', 'key'],
      ['patient_cnp', 'Code', 'key'],
      ['number', 'CNP-ul', 'label'],
      ['number', 'Cod Numeric Personal', 'label'],
      ['national_id_number', 'National ID', 'key', 'label'],
      ['number', 'Social security number', 'label'],
    ] as const)
      for (const entity_type of ['patient', 'specialist'])
        refused(await create({ ...text, entity_type, key, label }), 400, 'ValidationError', ...fields)
    const field = await made({ ...text, label: 'Nationality' })
    await made({ ...text, label: 'National identity' })
    refused(await edit(field.id, { label: 'C.N.P. (CNP)' }), 400, 'ValidationError', 'label')
  })

  for (const method of ['PUT', 'PATCH'])
    test(`an edit by ${method} creates a draft: the version stays, and omitted fields stay`, async () => {
      const field = await made({ description: 'Old' })
      const answer = await core.call(method, at(field.id), {
        as: clinic.admin,
        body: { label: 'Hobbies', is_private: true },
      })
      assert.equal(answer.status, 200, answer.text)
      const { updated_at: _u, revision: _next, ...shown } = answer.body.data
      const { updated_at: _v, revision: _first, ...was } = field
      assert.deepEqual(shown, { ...was, label: 'Hobbies', is_private: true, published: false })
      assert.deepEqual(
        (await listed()).find(({ id }) => id === field.id),
        answer.body.data,
      )
      assert.deepEqual((await core.get(at(field.id), { as: clinic.admin })).body.data, answer.body.data)
      assert.equal((await versionsOf(field.id)).length, 1)
      const [row] = await core.database.query('select label, is_private from custom_fields where id = $1', [field.id])
      assert.deepEqual(row, { label: 'Sports', is_private: false }, 'what is published stays')
    })

  test('key, entity type, field type and system key cannot be changed (400 naming them)', async () => {
    const field = await made()
    for (const method of ['PUT', 'PATCH']) {
      const body = { key: 'x', entity_type: 'patient', field_type: 'text', system_key: null, label: 'L' }
      const answer = await core.call(method, at(field.id), { as: clinic.admin, body })
      const { errors } = refused(answer, 400, 'ValidationError', 'key', 'entity_type', 'field_type', 'system_key')
      for (const { message } of errors) assert.match(message, /cannot be changed/)
      refused(await core.call(method, at(field.id), { as: clinic.admin, body: {} }), 400, 'ValidationError', 'body')
      const bad = { sort_order: 1.5, is_private: 'yes', version: 2 }
      refused(
        await core.call(method, at(field.id), { as: clinic.admin, body: bad }),
        400,
        'ValidationError',
        ...Object.keys(bad),
      )
    }
  })

  test('publish makes the draft the next version with an event, and without a draft returns the current one', async () => {
    const field = await made()
    await edit(field.id, { label: 'Hobbies', options: ['Chess'] })
    const { status, body } = await publish(field.id)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['id', 'published', 'published_at', 'version'])
    assert.deepEqual([body.id, body.version, body.published], [field.id, 2, true])
    assert.deepEqual((await publish(field.id)).body, body)
    const shown = (await listed()).find(({ id }) => id === field.id)
    assert.deepEqual([shown?.version, shown?.published, shown?.label, shown?.options], [2, true, 'Hobbies', ['Chess']])
    const events = await core.database.query(
      `select payload from outbox_events where type = 'custom_field.published' and payload->>'custom_field_id' = $1 order by id`,
      [field.id],
    )
    assert.deepEqual(
      events,
      [1, 2].map((version) => ({ payload: { custom_field_id: field.id, version } })),
    )
    const entries = await core.database.query(
      `select 1 from audit_log where target_id = $1 and action = 'custom_fields.publish'`,
      [field.id],
    )
    assert.equal(entries.length, 1)
  })

  test('parallel edits and publishes create versions without gaps or duplicates', async () => {
    const field = await made()
    await Promise.all(
      Array.from({ length: 12 }, async (_, turn) => {
        await edit(field.id, { label: `Label ${turn}` })
        return publish(field.id)
      }),
    )
    await publish(field.id)
    const versions = await versionsOf(field.id)
    const numbers = versions.map(({ version }: { version: number }) => version)
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, index) => numbers.length - index),
    )
    assert.ok(numbers.length >= 2 && numbers.length <= 13)
    assert.equal((await listed()).find(({ id }) => id === field.id)?.version, numbers[0])
  })

  test('versions are read newest first and one by one', async () => {
    const field = await made()
    await edit(field.id, { label: 'Two' })
    await publish(field.id)
    const versions = await versionsOf(field.id)
    assert.deepEqual(
      versions.map((one: { version: number; fields: { label: string } }) => [one.version, one.fields.label]),
      [
        [2, 'Two'],
        [1, 'Sports'],
      ],
    )
    const one = await core.get(at(field.id, '/versions/1'), { as: clinic.admin })
    assert.deepEqual(one.body, versions[1])
    for (const version of ['3', '0', '-1', '1.5', 'x', '99999999999'])
      refused(await core.get(at(field.id, `/versions/${version}`), { as: clinic.admin }), 404, 'NotFoundError')
  })

  test('rollback opens a draft with an earlier content, which a publish makes the next version', async () => {
    const field = await made()
    await edit(field.id, { label: 'Two', options: ['Chess'] })
    await publish(field.id)
    await edit(field.id, { label: 'Three' })
    const { status, body } = await rollback(field.id, 1)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.data.label, body.data.options, body.data.version, body.data.published],
      ['Sports', SPORTS.options, 2, false],
    )
    assert.equal((await publish(field.id)).body.version, 3)
    assert.deepEqual((await versionsOf(field.id))[0].fields, (await versionsOf(field.id))[2].fields)
    refused(await rollback(field.id, 4), 400, 'ValidationError', 'version')
    refused(await rollback(field.id, 0), 400, 'ValidationError', 'version')
    refused(await rollback(field.id, '1'), 400, 'ValidationError', 'version')
  })

  test('every clinic has the fields of the platform, in its language', async () => {
    const romanian = await core.organization({ language_code: 'ro' })
    const system = (await listed(romanian)).filter(({ system_key }) => system_key)
    assert.deepEqual(
      system.map(({ key }) => key),
      ['national_id', 'occupation', 'emergency_contact', 'emergency_phone', 'referring_doctor', 'allergies'],
    )
    assert.deepEqual(
      [system[0]?.system_key, system[0]?.label],
      ['national_identification_number', 'Cod numeric personal'],
    )
    await core.database.query('select add_system_fields(id) from organizations')
    assert.equal((await listed(romanian)).length, system.length, 'once each')
  })

  test('a field of the platform cannot be changed or deleted (403 ForbiddenError)', async () => {
    const field = (await listed()).find(({ key }) => key === 'occupation')
    assert.ok(field)
    for (const answer of [
      await edit(field.id, { label: 'Job' }),
      await core.put(at(field.id), { as: clinic.admin, body: { label: 'Job' } }),
      await core.delete(at(field.id), { as: clinic.admin }),
      await publish(field.id),
      await rollback(field.id, 1),
    ]) {
      const { system_key, reason } = refused(answer, 403, 'ForbiddenError')
      assert.equal(system_key, 'occupation')
      assert.equal(typeof reason, 'string')
    }
    assert.equal((await versionsOf(field.id)).length, 1)
  })

  test('a deleted field is gone with its values; its versions stay for those who see deleted records', async () => {
    const field = await made({ field_type: 'text', options: undefined })
    const patient = await core.patient(clinic)
    await core.database.query(
      `insert into custom_field_values (organization_id, custom_field_id, entity_id, value) values ($1, $2, $3, '"x"')`,
      [clinic.id, field.id, patient.id],
    )
    const manager = await core.memberWith(clinic, ['custom_fields.manage'])
    assert.equal((await core.delete(at(field.id), { as: manager })).status, 204)
    const left = await core.database.query('select 1 from custom_field_values where custom_field_id = $1', [field.id])
    assert.equal(left.length, 0, 'also when the manager does not see patients')
    assert.ok(!(await listed()).some(({ id }) => id === field.id))
    for (const answer of [
      await edit(field.id, { label: 'x' }),
      await core.delete(at(field.id), { as: clinic.admin }),
      await publish(field.id),
      await rollback(field.id, 1),
    ])
      refused(answer, 404, 'NotFoundError')
    assert.equal((await versionsOf(field.id)).length, 1)
    const viewer = await core.memberWith(clinic, ['custom_fields.view'])
    refused(await core.get(at(field.id, '/versions'), { as: viewer }), 404, 'NotFoundError')
  })

  test('another clinic’s field is not found, like one that does not exist', async () => {
    const other = await core.organization()
    const foreign = await made({}, other)
    for (const id of [foreign.id, randomUUID()]) {
      for (const answer of [
        await edit(id, { label: 'x' }),
        await core.delete(at(id), { as: clinic.admin }),
        await publish(id),
        await rollback(id, 1),
        await core.get(at(id), { as: clinic.admin }),
        await core.get(at(id, '/versions'), { as: clinic.admin }),
        await core.get(at(id, '/versions/1'), { as: clinic.admin }),
      ])
        refused(answer, 404, 'NotFoundError')
    }
    assert.equal((await core.get(at(foreign.id, '/versions'), { as: other.admin })).body.length, 1)
  })

  test('the permission to view them does not allow changes; the 403 names the missing permission', async () => {
    const field = await made()
    const viewer = await core.memberWith(clinic, ['custom_fields.view'])
    assert.equal((await core.get('/v1/custom-fields', { as: viewer })).status, 200)
    const answer = await core.patch(at(field.id), { as: viewer, body: { label: 'x' } })
    assert.deepEqual([answer.status, answer.body.error.required], [403, 'custom_fields.manage'])
    const nobody = await core.memberWith(clinic, ['patients.view_org'])
    assert.equal((await core.get('/v1/custom-fields', { as: nobody })).body.error.required, 'custom_fields.view')
  })

  test(`at most ${MAX_CUSTOM_FIELDS} of an entity type, also under parallel creates`, async () => {
    const own = await core.organization()
    await core.database.query(
      `insert into custom_fields (organization_id, entity_type, key, label, field_type)
       select $1, 'specialist', 'k' || n, 'L', 'text' from generate_series(1, $2 - 2) n`,
      [own.id, MAX_CUSTOM_FIELDS],
    )
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({ key: newKey(), entity_type: 'specialist' }, own)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 201, 400, 400, 400],
    )
    for (const answer of answers) if (answer.status === 400) refused(answer, 400, 'ValidationError', 'entity_type')
  })
})
