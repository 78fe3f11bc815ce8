import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { RULE_OPERATORS } from '@tendon/contracts'
import type { Answer, Json } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type SegmentsCore, startSegments } from './work.testing.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

describe('segments', () => {
  let core: SegmentsCore
  let clinic: TestOrganization
  let other: TestOrganization
  let pain: string
  before(async () => {
    core = await startSegments()
    clinic = await core.organization()
    other = await core.organization()
    pain = await core.field(clinic, 'number')
  })
  after(() => core.close())

  const rule = (more: object = {}) => ({ source: 'profile', custom_field_id: pain, op: 'gte', value: 7, ...more })
  const details = (more: object = {}) => ({ name: 'High pain', match_mode: 'all', rules: [rule()], ...more })
  const create = (body: unknown, as = clinic.admin) => core.post('/v1/segments', { as, body })
  const made = async (more: object = {}): Promise<Json> => {
    const answer = await create(details(more))
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const audited = (action: string, id: string) =>
    core.database.query<{ crud: string }>(
      'select crud from audit_log where organization_id = $1 and action = $2 and target_id = $3',
      [clinic.id, action, id],
    )

  function refused(answer: Answer, fields: Record<string, string | RegExp>) {
    assert.deepEqual([answer.status, answer.body.status, answer.body.name], [400, 400, 'ValidationError'], answer.text)
    assert.equal(typeof answer.body.message, 'string')
    const told = Object.fromEntries(answer.body.details.errors.map((one: Json) => [one.field, one.message]))
    assert.deepEqual(Object.keys(told).sort(), Object.keys(fields).sort(), answer.text)
    for (const [field, message] of Object.entries(fields)) assert.match(told[field], new RegExp(message), field)
  }

  test('a rule on an option that its field never had is refused', async () => {
    const [side, parts] = await Promise.all([core.field(clinic, 'select'), core.field(clinic, 'checkbox')])
    const withRule = (custom_field_id: string, op: string, value: unknown) =>
      create(details({ rules: [{ source: 'profile', custom_field_id, op, value }] }))
    refused(await withRule(side, 'eq', 'elbow'), { 'rules.0.value': 'must be an option of the field: hip, knee' })
    refused(await withRule(side, 'in', ['knee', 'elbow']), { 'rules.0.value': 'option' })
    refused(await withRule(parts, 'contains_any', ['elbow']), { 'rules.0.value': 'option' })
    await core.database.query(`update custom_fields set options = '{hip}', version = version + 1 where id = $1`, [side])
    assert.equal((await withRule(side, 'eq', 'knee')).status, 201, 'patients may still have a former option')
  })

  test('a new segment is version 1, audited, published, and evaluated in the background', async () => {
    const answer = await create(details({ description: 'Call back' }))
    assert.equal(answer.status, 201, answer.text)
    const { id, created_at, updated_at, ...rest } = answer.body.data
    assert.deepEqual(rest, {
      organization_id: clinic.id,
      name: 'High pain',
      description: 'Call back',
      match_mode: 'all',
      rules: [rule()],
      version: 1,
    })
    assert.ok(created_at && updated_at)
    assert.equal((await audited('segments.create', id)).length, 1)
    const [event] = await core.database.query(
      `select 1 from outbox_events where type = 'segment.created' and payload ->> 'segment_id' = $1`,
      [id],
    )
    assert.ok(event)
    const status = await core.evaluated(clinic, id)
    assert.deepEqual([status.status, status.members_added, status.members_removed], ['completed', 0, 0])
    assert.ok(status.started_at && status.completed_at && status.duration_ms >= 0)
  })

  test('a repeat with the same Idempotency-Key creates nothing', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => core.post('/v1/segments', { as: clinic.admin, body: details({ name: 'Once' }), headers })
    const [first, second] = [await send(), await send()]
    assert.equal(first.body.data.id, second.body.data.id)
  })

  test('the list holds all segments of the clinic by name, and a single read the number of members', async () => {
    const own = await core.organization()
    const custom_field_id = await core.field(own, 'number')
    for (const name of ['B', 'A']) await create(details({ name, rules: [rule({ custom_field_id })] }), own.admin)
    const { segments } = await core.ok('GET', '/v1/segments', { as: own.admin })
    assert.deepEqual(
      segments.map(({ name }: Json) => name),
      ['A', 'B'],
    )
    assert.equal('member_count' in segments[0], false)
    const { data } = await core.ok('GET', `/v1/segments/${segments[0].id}`, { as: own.admin })
    assert.deepEqual([data.name, data.description, data.member_count], ['A', '', 0])
  })

  test('an update is the next version; every version stays readable, newest first, with who made it', async () => {
    const { id } = await made()
    const rules = [{ source: 'appointments', metric: 'count', op: 'gte', value: 2, filters: { status: 'completed' } }]
    const answer = await core.put(`/v1/segments/${id}`, {
      as: clinic.admin,
      body: { name: 'Came often', description: 'Regulars', match_mode: 'any', rules },
    })
    assert.equal(answer.status, 200, answer.text)
    const { version, name, description, match_mode, updated_at } = answer.body
    assert.deepEqual([answer.body.id, version, name, description, match_mode], [id, 2, 'Came often', 'Regulars', 'any'])
    assert.ok(updated_at)
    assert.deepEqual(answer.body.rules, rules)
    assert.equal((await audited('segments.update', id)).length, 1)

    const { versions } = await core.ok('GET', `/v1/segments/${id}/versions`, { as: clinic.admin })
    const changed_by = { id: clinic.admin.id, name: clinic.admin.name }
    assert.deepEqual(
      versions.map(({ version, rules, match_mode, changed_by }: Json) => ({ version, rules, match_mode, changed_by })),
      [
        { version: 2, rules, match_mode: 'any', changed_by },
        { version: 1, rules: [rule()], match_mode: 'all', changed_by },
      ],
    )
    const { created_at, ...first } = await core.ok('GET', `/v1/segments/${id}/versions/1`, { as: clinic.admin })
    assert.deepEqual(first, { segment_id: id, version: 1, rules: [rule()], match_mode: 'all', changed_by })
    assert.ok(created_at)
    for (const path of ['versions/3', 'versions/0', 'versions/99999999999', 'versions/x']) {
      const missing = await core.get(`/v1/segments/${id}/${path}`, { as: clinic.admin })
      assert.deepEqual([missing.status, missing.body.name], [404, 'NotFoundError'], path)
    }
  })

  test('parallel updates create versions without gaps or duplicates', async () => {
    const { id } = await made()
    const names = Array.from({ length: 8 }, (_, index) => `Version ${index}`)
    const answers = await Promise.all(
      names.map((name) => core.put(`/v1/segments/${id}`, { as: clinic.admin, body: details({ name }) })),
    )
    assert.deepEqual(
      answers.map(({ body }) => body.version).sort((a, b) => a - b),
      [2, 3, 4, 5, 6, 7, 8, 9],
    )
    const { versions } = await core.ok('GET', `/v1/segments/${id}/versions`, { as: clinic.admin })
    assert.deepEqual(
      versions.map(({ version }: Json) => version),
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
  })

  test('a deleted segment is gone with its members, versions and evaluations', async () => {
    const { id } = await made()
    await core.evaluated(clinic, id)
    const patient = await core.patient(clinic)
    await core.database.query(
      'insert into segment_members (organization_id, segment_id, patient_id, matched_at) values ($1, $2, $3, now())',
      [clinic.id, id, patient.id],
    )
    const deleted = await core.delete(`/v1/segments/${id}`, { as: clinic.admin })
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assert.equal((await audited('segments.delete', id)).length, 1)
    for (const table of ['segment_members', 'segment_versions', 'segment_evaluations']) {
      const rows = await core.database.query(`select 1 from ${table} where segment_id = $1`, [id])
      assert.equal(rows.length, 0, table)
    }
    for (const path of ['', '/members', '/versions', '/versions/1', '/evaluation-status']) {
      const answer = await core.get(`/v1/segments/${id}${path}`, { as: clinic.admin })
      assert.deepEqual([answer.status, answer.body.status, answer.body.name], [404, 404, 'NotFoundError'], path)
    }
  })

  test('all errors of a body are reported together (400)', async () => {
    refused(await create(undefined), { body: 'JSON object' })
    refused(await create({}), { name: 'required', match_mode: 'required', rules: 'required' })
    refused(await create({ name: ' ', match_mode: 'some', rules: [], color: 'red' }), {
      name: 'blank',
      match_mode: 'all, any',
      rules: 'at least 1',
      color: 'not a field',
    })
    refused(await create(details({ name: 'x'.repeat(256), description: 7, rules: Array(51).fill(rule()) })), {
      name: '255',
      description: 'text',
      rules: 'at most 50',
    })
    refused(
      await create({
        name: 7,
        match_mode: 'none',
        rules: [
          'rule',
          {},
          { source: 'weather', op: 'eq' },
          { source: 'profile', op: 'like' },
          rule({ custom_field_id: UNKNOWN, op: 'eq', metric: 'count' }),
          rule({ op: 'contains' }),
          rule({ value: '7' }),
          rule({ value: undefined }),
          { source: 'form', custom_field_id: pain, op: 'is_set' },
          { source: 'form', custom_field_id: pain, template_id: UNKNOWN, op: 'is_set' },
          { source: 'appointments', metric: 'sum', op: 'eq', filters: { status: 'late', day: 1 } },
          { source: 'appointments', metric: 'count' },
        ],
      }),
      {
        name: 'text',
        match_mode: 'all, any',
        'rules.0': 'JSON object',
        'rules.1.source': 'required',
        'rules.2.source': 'profile, form, appointments',
        'rules.3.custom_field_id': 'required',
        'rules.3.op': 'one of',
        'rules.4.custom_field_id': 'not a custom field',
        'rules.4.metric': 'not a field',
        'rules.5.op': 'gte',
        'rules.6.value': 'number',
        'rules.7.value': 'required',
        'rules.8.template_id': 'required',
        'rules.9.template_id': 'not a form template',
        'rules.10.metric': 'count, last_date',
        'rules.10.filters.status': 'no_show',
        'rules.10.filters.day': 'not a field',
        'rules.11.op': 'required',
      },
    )
    const { id } = await made()
    refused(await core.put(`/v1/segments/${id}`, { as: clinic.admin, body: { rules: [] } }), {
      name: 'required',
      match_mode: 'required',
      rules: 'at least 1',
    })
    refused(await core.post('/v1/segments/preview', { as: clinic.admin, body: { rules: {}, name: 'x' } }), {
      match_mode: 'required',
      rules: 'list',
      name: 'not a field',
    })
  })

  test('a name of 255 characters is accepted, also outside the basic multilingual plane', async () => {
    assert.equal((await made({ name: '🦴'.repeat(255) })).name, '🦴'.repeat(255))
  })

  test('operators and values must fit the kind of value', async () => {
    const types = { text: 'textarea', number: 'number', date: 'date', choice: 'radio', choices: 'checkbox' } as const
    const values: Record<string, Record<string, unknown>> = {
      text: { in: ['a'], not_in: ['a', 'b'], '*': 'a' },
      number: { between: [1, 2], not_between: [1, 1], '*': 1.5 },
      date: {
        between: ['2026-01-01', '2026-01-31'],
        in_last: { amount: 30, unit: 'days' },
        not_in_last: { amount: 2, unit: 'weeks' },
        in_next: { amount: 1, unit: 'years' },
        '*': '2026-02-28',
      },
      choice: { in: ['knee'], not_in: ['hip'], '*': 'knee' },
      choices: { contains_any: ['knee', 'hip'], contains_all: ['knee'], '*': 'knee' },
    }
    const wrong: Record<string, unknown[]> = {
      text: [1, '', 'x'.repeat(501), ['a'], true],
      number: ['1', [1], true],
      date: ['yesterday', '2026-02-30', '2026-1-1', 20260101, { amount: 1, unit: 'days' }],
      choice: [1, '', ['knee']],
      choices: [1, ['knee'], ''],
    }
    const wrongFor: Record<string, unknown[]> = {
      in: ['a', [], [1], Array(101).fill('a')],
      contains_all: ['knee', []],
      between: [1, [1], [2, 1], ['2026-01-02', '2026-01-01'], [1, 2, 3]],
      in_last: [
        '2026-01-01',
        { amount: 0, unit: 'days' },
        { amount: 1.5, unit: 'days' },
        { amount: 1, unit: 'hours' },
        { amount: 1 },
      ],
    }
    const every = [...new Set(Object.values(RULE_OPERATORS).flat())]
    for (const [kind, type] of Object.entries(types)) {
      const custom_field_id = await core.field(clinic, type)
      const fits = (op: string, value: unknown) => ({
        source: 'profile',
        custom_field_id,
        op,
        ...(value === undefined ? {} : { value }),
      })
      const operators: readonly string[] = RULE_OPERATORS[kind as keyof typeof RULE_OPERATORS]
      const given = (op: string) => (op.startsWith('is_') ? undefined : (values[kind]?.[op] ?? values[kind]?.['*']))
      const rules = operators.map((op) => fits(op, given(op)))
      assert.equal((await create(details({ rules }))).status, 201, kind)
      const foreign = every.filter((op) => !operators.includes(op)).map((op) => fits(op, given(op)))
      refused(
        await create(details({ rules: foreign })),
        Object.fromEntries(foreign.map((_, index) => [`rules.${index}.op`, 'one of'])),
      )
      const misfits = operators.flatMap((op) => {
        if (op.startsWith('is_')) return [fits(op, 'x')]
        const plain = op in (values[kind] ?? {}) ? (wrongFor[op] ?? []) : (wrong[kind] ?? [])
        return plain.map((value) => fits(op, value))
      })
      refused(
        await create(details({ rules: misfits.slice(0, 50) })),
        Object.fromEntries(misfits.slice(0, 50).map((_, index) => [`rules.${index}.value`, ''])),
      )
    }
  })

  test('a rule uses fields of patients, or fields that any version of a form template has', async () => {
    const ofSpecialist = await core.field(clinic, 'text', 'specialist')
    const [asked, once, never] = await Promise.all(['text', 'text', 'text'].map((type) => core.field(clinic, type)))
    const template_id = await core.template(clinic, [asked ?? '', once ?? ''])
    await core.database.query('update form_templates set fields = $2 where id = $1', [
      template_id,
      JSON.stringify([{ custom_field_id: asked }, { label: 'without field' }]),
    ])
    const of = (custom_field_id: string | undefined) => ({ source: 'form', template_id, custom_field_id, op: 'is_set' })
    refused(
      await create(
        details({ rules: [rule({ custom_field_id: ofSpecialist, op: 'is_set', value: undefined }), of(never)] }),
      ),
      {
        'rules.0.custom_field_id': 'of patients',
        'rules.1.custom_field_id': 'not a field of this form template',
      },
    )
    const { id } = await made({ rules: [of(asked), of(once)] })
    await core.ok('DELETE', `/v1/segments/${id}`, { as: clinic.admin })
    await core.database.query('update custom_fields set deleted_at = now() where id = $1', [never])
    await core.database.query('update form_templates set deleted_at = now() where id = $1', [template_id])
    refused(await create(details({ rules: [rule({ custom_field_id: never }), of(asked)] })), {
      'rules.0.custom_field_id': 'not a custom field',
      'rules.1.template_id': 'not a form template',
    })
  })

  test('another clinic’s segments, fields and patients are not found', async () => {
    const foreignField = await core.field(other, 'number')
    const foreignTemplate = await core.template(other, [foreignField])
    const ask = (custom_field_id: string, template_id: string) =>
      create(
        details({ rules: [rule({ custom_field_id }), { source: 'form', template_id, custom_field_id, op: 'is_set' }] }),
      )
    const [unknown, foreign] = [await ask(UNKNOWN, UNKNOWN), await ask(foreignField, foreignTemplate)]
    assert.equal(foreign.status, 400)
    assert.deepEqual(foreign.body, unknown.body)

    const { id } = await made()
    const patient = await core.patient(clinic)
    const calls: [string, string, unknown?][] = [
      ['GET', `/v1/segments/ID`],
      ['PUT', `/v1/segments/ID`, details()],
      ['DELETE', `/v1/segments/ID`],
      ['GET', `/v1/segments/ID/members`],
      ['GET', `/v1/segments/ID/members?fresh=true`],
      ['POST', `/v1/segments/ID/evaluate`],
      ['GET', `/v1/segments/ID/evaluation-status`],
      ['GET', `/v1/segments/ID/versions`],
      ['GET', `/v1/segments/ID/versions/1`],
      ['GET', `/v1/segments/ID/members/${UNKNOWN}/explain`],
    ]
    for (const [method, path, body] of calls) {
      const send = (segment: string) => core.call(method, path.replace('ID', segment), { as: other.admin, body })
      const [theirs, none] = [await send(id), await send(UNKNOWN)]
      assert.equal(theirs.status, 404, `${method} ${path}`)
      assert.deepEqual(theirs.body, none.body)
    }
    for (const [method, path] of [
      ['GET', 'segments'],
      ['POST', 'evaluate-segments'],
    ] as const) {
      const send = (of: string) => core.call(method, `/v1/patients/${of}/${path}`, { as: other.admin })
      const [theirs, none] = [await send(patient.id), await send(UNKNOWN)]
      assert.deepEqual([theirs.status, theirs.body.name], [404, 'NotFoundError'])
      assert.deepEqual(theirs.body, none.body)
    }
  })

  test('patients and support have no access to segments; routes about patients need patients.view_org', async () => {
    const { id } = await made()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const support = await core.member(clinic, 'customer_support')
    const blind = await core.memberWith(clinic, ['segments.view', 'segments.manage'])
    const reads = [
      '/v1/segments',
      `/v1/segments/${id}`,
      `/v1/segments/${id}/evaluation-status`,
      `/v1/segments/${id}/versions`,
      `/v1/segments/${id}/versions/1`,
    ]
    const named = [
      `/v1/segments/${id}/members`,
      `/v1/patients/${patient.id}/segments`,
      `/v1/segments/${id}/members/${patient.id}/explain`,
    ]
    const writes: [string, string, unknown?][] = [
      ['POST', '/v1/segments', details()],
      ['PUT', `/v1/segments/${id}`, details()],
      ['POST', `/v1/segments/${id}/evaluate`],
      ['POST', '/v1/segments/preview', { match_mode: 'all', rules: [rule()] }],
      ['POST', `/v1/patients/${patient.id}/evaluate-segments`],
      ['DELETE', `/v1/segments/${id}`],
    ]
    const expect = async (as: { token: string }, method: string, path: string, body: unknown, required: string) => {
      const answer = await core.call(method, path, { as, body })
      assert.deepEqual(
        [answer.status, answer.body.error?.code, answer.body.error?.required],
        [403, 'forbidden', required],
        `${method} ${path}`,
      )
    }
    for (const path of [...reads, ...named]) {
      await expect(person, 'GET', path, undefined, 'segments.view')
      await expect(support, 'GET', path, undefined, 'segments.view')
    }
    for (const path of [`/v1/segments/${id}`, ...named])
      await expect(blind, 'GET', path, undefined, 'patients.view_org')
    for (const [method, path, body] of writes) {
      await expect(person, method, path, body, 'segments.manage')
      await expect(support, method, path, body, 'segments.manage')
    }
    await expect(blind, 'POST', '/v1/segments/preview', { match_mode: 'all', rules: [rule()] }, 'patients.view_org')
    await expect(blind, 'POST', '/v1/segments', details(), 'patients.view_org')
    await expect(blind, 'PUT', `/v1/segments/${id}`, details(), 'patients.view_org')
    const specialist = await core.member(clinic, 'specialist')
    for (const path of [...reads, ...named]) assert.equal((await core.get(path, { as: specialist })).status, 200, path)
    for (const [method, path, body] of writes)
      assert.ok((await core.call(method, path, { as: specialist, body })).status < 300, `${method} ${path}`)
    const operator = await core.superadmin()
    const headers = { 'x-organization-id': clinic.id }
    const answer = await core.get(`/v1/segments/${id}/members`, { as: operator, headers })
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'break_glass_required'])
  })

  test('rules about forms need the permission to view forms (403)', async () => {
    const template_id = await core.template(clinic, [pain])
    const rules = [rule(), { source: 'form', template_id, custom_field_id: pain, op: 'gte', value: 7 }]
    const { id } = await made({ rules })
    const as = await core.memberWith(clinic, ['segments.view', 'segments.manage', 'patients.view_org', 'forms.create'])
    for (const [method, path, body] of [
      ['POST', '/v1/segments', details({ rules })],
      ['PUT', `/v1/segments/${id}`, details({ rules })],
      ['POST', '/v1/segments/preview', { match_mode: 'all', rules }],
    ] as const) {
      const { status, body: refusal } = await core.call(method, path, { as, body })
      assert.deepEqual([status, refusal.error?.required], [403, 'forms.view_org'], `${method} ${path}`)
    }
    assert.equal((await core.call('PUT', `/v1/segments/${id}`, { as, body: details() })).status, 200)
  })

  test('no rule can use the national identification number', async () => {
    const [field] = await core.database.query<{ id: string }>(
      `select id from custom_fields where organization_id = $1 and system_key = 'national_identification_number'`,
      [clinic.id],
    )
    const rules = [rule({ custom_field_id: field?.id, op: 'is_set', value: undefined })]
    refused(await create(details({ rules })), { 'rules.0.custom_field_id': 'is stored encrypted' })
  })

  test('a clinic has at most 500 segments, also when many are created at once', async () => {
    const own = await core.organization()
    const custom_field_id = await core.field(own, 'number')
    await core.database.query(
      `insert into segments (organization_id, name, match_mode, rules) select $1, 'Segment', 'all', '[]' from generate_series(1, 498)`,
      [own.id],
    )
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => create(details({ rules: [rule({ custom_field_id })] }), own.admin)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 201, 409, 409],
    )
    assert.equal(answers.find(({ status }) => status === 409)?.body.name, 'ConflictError')
  })
})
