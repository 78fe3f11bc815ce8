import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const TEXT = { key: 'name', label: 'Name', type: 'text' }
const SMOKER = { key: 'smoker', label: 'Do you smoke?', type: 'radio', options: ['Yes', 'No'], required: true }
const DETAILS = { title: 'Intake', type: 'intake', fields: [SMOKER, TEXT] }
const when = (field_key: string, op: string, value?: unknown, mode = 'all') => ({
  visible_when: { mode, conditions: [{ field_key, op, ...(value === undefined ? {} : { value }) }] },
})
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

describe('form templates', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  const create = (body: unknown, as: Person = clinic.admin) => core.post('/v1/form-templates', { as, body })
  const at = (id: string, rest = '') => `/v1/form-templates/${id}${rest}`
  const read = (id: string, as: Person = clinic.admin) => core.get(at(id), { as })
  const replace = (id: string, body: unknown) => core.put(at(id), { as: clinic.admin, body })
  const act = (id: string, verb: string, as: Person = clinic.admin) => core.post(at(id, `/${verb}`), { as })

  async function created(details: object = DETAILS) {
    const { status, body, text } = await create(details)
    assert.equal(status, 201, text)
    return body.data
  }

  async function customField(values: object = {}) {
    const body = {
      entity_type: 'patient',
      key: `f_${randomUUID().slice(0, 8)}`,
      label: 'Blood',
      field_type: 'select',
      options: ['A', 'B'],
      ...values,
    }
    const { status, body: answer, text } = await core.post('/v1/custom-fields', { as: clinic.admin, body })
    assert.equal(status, 201, text)
    return answer.data ?? answer
  }

  /** Every bad field that a save names. */
  async function problemsOf(fields: unknown[], more: object = {}): Promise<Record<string, string>> {
    const { status, body, text } = await create({ ...DETAILS, fields, ...more })
    if (status === 201) return {}
    assert.deepEqual([status, body.error.code], [400, 'validation_error'], text)
    return body.error.fields
  }

  test('a new template is a draft without a version; fields that are null are omitted', async () => {
    const details = {
      ...DETAILS,
      description: 'Before the first session',
      fields: [
        { ...SMOKER, section: 'Habits', help_text: null },
        { ...TEXT, default: 'Ana', max_length: 10, pattern: '[A-Z].*', ...when('smoker', 'eq', 'No') },
        { key: 'pets', label: 'Pets', type: 'checkbox', options: ['cat', 'dog'], default: ['dog'], private: true },
        { key: 'since', label: 'Since', type: 'date', min: '2020-01-01', ...when('pets', 'exists', false) },
        {
          key: 'size',
          label: 'Size',
          type: 'number',
          min: 1.5,
          default: 2,
          read_only: true,
          ...when('since', 'gt', '2021-01-01'),
        },
        { key: 'scan', label: 'Scan', type: 'file', max_file_size: 1000, allowed_file_types: ['image/png'] },
      ],
      translations: {
        ro: {
          title: 'Primul chestionar',
          sections: { Habits: 'Obiceiuri' },
          fields: { smoker: { label: 'Fumați?', options: { Yes: 'Da' } } },
        },
      },
    }
    const template = await created(details)
    const { id, organization_id, created_at, updated_at, revision, ...rest } = template
    assert.equal(revision, 1)
    assert.equal(organization_id, clinic.id)
    assert.ok(created_at && updated_at)
    assert.deepEqual(rest, {
      ...details,
      fields: [{ ...SMOKER, section: 'Habits' }, ...details.fields.slice(1)],
      consent_purposes: [],
      signed_by: 'staff',
      status: 'draft',
      version: 0,
      published_at: null,
      published_by_principal_id: null,
    })
    assert.deepEqual((await read(id)).body.data, template)
  })

  test('the example in the API reference is accepted', async () => {
    const document = (await core.get('/v1/openapi.json')).body
    const { schema } = document.paths['/v1/form-templates'].post.requestBody.content['application/json']
    assert.equal(schema.$ref, '#/components/schemas/FormTemplateDetails')
    const { id } = await created(document.components.schemas.FormTemplateDetails.examples[0])
    assert.equal((await act(id, 'publish')).status, 200)
  })

  test('an invalid body is refused with each bad field (400 validation_error)', async () => {
    const { status, body } = await create({
      title: ' ',
      type: 'poll',
      fields: [{ key: 'A b', type: 'colour' }],
      version: 3,
    })
    assert.deepEqual([status, body.error.code], [400, 'validation_error'])
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'fields.0.key',
      'fields.0.type',
      'title',
      'type',
      'version',
    ])
    assert.equal((await create('{')).body.error.code, 'validation_error')
  })

  test('every inconsistency is named at its place', async () => {
    const found = await problemsOf(
      [
        { key: 'a', type: 'text' },
        { ...TEXT, key: 'a' },
        { key: 'b', label: 'B', type: 'select' },
        { key: 'c', label: 'C', type: 'number', options: ['x'], min: 5, max: 2, pattern: 'x' },
        { key: 'd', label: 'D', type: 'date', min: '2026-02-30', min_length: 2 },
        { key: 'e', label: 'E', type: 'text', min_length: 5, max_length: 2 },
        { key: 'f', label: 'F', type: 'text', pattern: '(a)\\1' },
        { key: 'g', label: 'G', type: 'file', default: 'x', max_file_size: 10, custom_field_id: randomUUID() },
        { key: 'h', label: 'H', type: 'checkbox', options: ['x', 'y'], default: ['z'] },
        { key: 'i', label: 'I', type: 'number', default: 'seven' },
        { key: 'j', label: 'J', type: 'text', max_file_size: 10, allowed_file_types: ['image/png'] },
        { key: 'k', label: 'K', type: 'text', max_length: 2, default: 'long' },
        { key: 'l', label: 'L', type: 'number', min: true, max: {}, default: false },
      ],
      {
        consent_purposes: ['telerehab'],
        translations: { ro: { sections: { No: 'Nu' }, fields: { z: { label: 'Z' }, h: { options: { q: 'Q' } } } } },
      },
    )
    assert.deepEqual(Object.keys(found).sort(), [
      'consent_purposes',
      'fields.0.label',
      'fields.1.key',
      'fields.10.allowed_file_types',
      'fields.10.max_file_size',
      'fields.11.default',
      'fields.12.max',
      'fields.12.min',
      'fields.2.options',
      'fields.3.max',
      'fields.3.options',
      'fields.3.pattern',
      'fields.4.min',
      'fields.4.min_length',
      'fields.5.max_length',
      'fields.6.pattern',
      'fields.7.custom_field_id',
      'fields.7.default',
      'fields.8.default',
      'fields.9.default',
      'translations.ro.fields.h.options.q',
      'translations.ro.fields.z',
      'translations.ro.sections.No',
    ])
  })

  test('conditions refer to earlier fields, with operators and values of their type', async () => {
    const age = { key: 'age', label: 'Age', type: 'number' }
    const scan = { key: 'scan', label: 'Scan', type: 'file' }
    const allergic = { key: 'allergic', label: 'To', type: 'checkbox', options: ['nuts', 'cats'] }
    const top = [SMOKER, age, scan, allergic]
    for (const good of [
      when('smoker', 'eq', 'Yes'),
      when('smoker', 'exists'),
      when('smoker', 'exists', null),
      when('smoker', 'exists', false, 'any'),
      when('age', 'gte', 18),
      when('scan', 'exists', true),
      when('allergic', 'neq', 'cats'),
    ]) {
      assert.deepEqual(await problemsOf([...top, { ...TEXT, ...good }]), {}, JSON.stringify(good))
    }
    for (const [bad, where] of [
      [when('nothing', 'exists'), 'field_key'],
      [when('name', 'exists'), 'field_key'],
      [when('below', 'exists'), 'field_key'],
      [when('smoker', 'eq', 'Maybe'), 'value'],
      [when('smoker', 'eq'), 'value'],
      [when('smoker', 'gt', 'No'), 'op'],
      [when('age', 'lt', 'eighteen'), 'value'],
      [when('scan', 'eq', 'x'), 'op'],
      [when('allergic', 'eq', 'dogs'), 'value'],
      [when('smoker', 'exists', 'Yes'), 'value'],
      [when('smoker', 'eq', { x: 1 }), 'value'],
      [when('age', 'eq', ['18']), 'value'],
    ] as const) {
      const found = await problemsOf([...top, { ...TEXT, ...bad }, { ...TEXT, key: 'below' }])
      assert.deepEqual(Object.keys(found), [`fields.4.visible_when.conditions.0.${where}`], JSON.stringify(bad))
    }
  })

  test('a field of its own may not ask for the identification number', async () => {
    const found = await problemsOf([{ key: 'cnp', label: 'Cod numeric personal', type: 'text' }, TEXT])
    assert.deepEqual(Object.keys(found), ['fields.0.label'])
    const translated = await create({
      ...DETAILS,
      fields: [TEXT],
      translations: { ro: { fields: { [TEXT.key]: { label: 'CNP' } } } },
    })
    assert.deepEqual(Object.keys(translated.body.error?.fields ?? {}), [`translations.ro.fields.${TEXT.key}.label`])
  })

  test('publishing creates version 1, an edit creates a draft, and the version does not change', async () => {
    const { id } = await created()
    const published = (await act(id, 'publish')).body.data
    assert.deepEqual(
      [published.status, published.version, published.published_by_principal_id],
      ['published', 1, clinic.admin.id],
    )
    assert.deepEqual((await act(id, 'publish')).body.error.code, 'nothing_to_publish')
    assert.equal((await replace(id, DETAILS)).body.data.status, 'published', 'nothing was changed')
    const draft = (await replace(id, { ...DETAILS, title: 'Newer', fields: [TEXT] })).body.data
    assert.deepEqual([draft.status, draft.version, draft.title], ['draft', 1, 'Newer'])
    const first = (await core.get(at(id, '/versions/1'), { as: clinic.admin })).body.data
    assert.deepEqual([first.title, first.fields], ['Intake', [SMOKER, TEXT]])
    assert.equal((await act(id, 'publish')).body.data.version, 2)
    const versions = await core.get(at(id, '/versions'), { as: clinic.admin })
    assert.deepEqual(
      versions.body.data.map(({ version, title }: { version: number; title: string }) => [version, title]),
      [
        [2, 'Newer'],
        [1, 'Intake'],
      ],
    )
    assert.equal(versions.body.pagination.total, 2)
    assert.equal(
      (await core.get(at(id, '/versions/3'), { as: clinic.admin })).body.error.code,
      'form_template_not_found',
    )
  })

  test('parallel publishes and edits create versions without gaps or duplicates', async () => {
    const { id } = await created()
    const once = await Promise.all(Array.from({ length: 5 }, () => act(id, 'publish')))
    assert.deepEqual(statusesOf(once), [200, 409, 409, 409, 409])
    await Promise.all(
      Array.from({ length: 8 }, async (_, turn) => {
        await replace(id, { ...DETAILS, title: `Turn ${turn}` })
        await act(id, 'publish')
      }),
    )
    const versions = await core.database.query<{ version: number }>(
      'select version from form_template_versions where form_template_id = $1 order by version',
      [id],
    )
    assert.ok(versions.length > 1)
    assert.deepEqual(
      versions.map(({ version }) => version),
      versions.map((_, place) => place + 1),
    )
    assert.equal((await read(id)).body.data.version, versions.length)
  })

  test('publishing needs fields, and custom fields of patients with the same key and type (400)', async () => {
    const blood = await customField()
    const ofSpecialists = await customField({ entity_type: 'specialist' })
    const other = await core.organization()
    const foreign = await core.post('/v1/custom-fields', {
      as: other.admin,
      body: { entity_type: 'patient', key: 'x', label: 'X', field_type: 'text' },
    })
    const number = (await core.get('/v1/custom-fields?entity_type=patient', { as: clinic.admin })).body.fields.find(
      ({ system_key }: { system_key: string }) => system_key === 'national_identification_number',
    )
    const refused = async (fields: unknown[]) => {
      const { id } = await created({ ...DETAILS, fields })
      const { status, body } = await act(id, 'publish')
      assert.deepEqual([status, body.error?.code], [400, 'validation_error'])
      assert.equal((await read(id)).body.data.version, 0)
      return Object.keys(body.error.fields)
    }
    const link = (custom_field_id: string, key = blood.key, type = 'select', more = {}) => ({
      custom_field_id,
      key,
      type,
      ...more,
    })
    assert.deepEqual(await refused([]), ['fields'])
    for (const id of [randomUUID(), ofSpecialists.id, foreign.body.id ?? foreign.body.data.id, number.id])
      assert.deepEqual(await refused([TEXT, link(id, 'national_id', 'text')]), ['fields.1.custom_field_id'])
    assert.deepEqual(await refused([link(blood.id, 'blood_type')]), ['fields.0.key'])
    assert.deepEqual(await refused([link(blood.id, blood.key, 'text')]), ['fields.0.type'])
    assert.deepEqual(await refused([link(blood.id, blood.key, 'select', { default: 'C' })]), ['fields.0.default'])
    assert.deepEqual(await refused([link(blood.id, blood.key, 'select', { private: true })]), ['fields.0.private'])
    const secret = await customField({ is_private: true })
    const hidden = await created({ ...DETAILS, fields: [link(secret.id, secret.key, 'select', { private: true })] })
    assert.equal((await act(hidden.id, 'publish')).status, 200)
    const { id } = await created({
      ...DETAILS,
      fields: [link(blood.id, blood.key, 'select', { default: 'B', label: 'Ignored' })],
    })
    assert.deepEqual((await act(id, 'publish')).body.data.fields, [
      link(blood.id, blood.key, 'select', { default: 'B', label: 'Blood', options: ['A', 'B'] }),
    ])
  })

  test('consent purposes are those of clinics, for templates of type consent', async () => {
    const consent = {
      title: 'Consent',
      type: 'consent',
      fields: [TEXT],
      consent_purposes: ['telerehab', 'platform_terms', 'nonsense'],
    }
    assert.deepEqual(Object.keys((await create(consent)).body.error.fields), [
      'consent_purposes.1',
      'consent_purposes.2',
    ])
    assert.deepEqual((await created({ ...consent, consent_purposes: ['telerehab'] })).consent_purposes, ['telerehab'])
  })

  test('an archived template cannot be edited or published, and unarchiving restores it', async () => {
    const { id } = await created()
    await act(id, 'publish')
    assert.equal((await act(id, 'archive')).body.data.status, 'archived')
    for (const refused of [await act(id, 'archive'), await replace(id, DETAILS), await act(id, 'publish')])
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'form_template_archived'])
    assert.equal((await act(id, 'unarchive')).body.data.status, 'published')
    assert.equal((await act(id, 'unarchive')).body.error.code, 'form_template_not_archived')
    await replace(id, { ...DETAILS, title: 'Edited' })
    await act(id, 'archive')
    assert.equal((await act(id, 'unarchive')).body.data.status, 'draft')
    const never = await created()
    await act(never.id, 'archive')
    assert.equal((await act(never.id, 'unarchive')).body.data.status, 'draft')
  })

  test('the list filters and searches; the picker offers templates from which forms can be created', async () => {
    const own = await core.organization()
    const make = async (details: object, ...verbs: string[]) => {
      const { id } = (await create({ ...DETAILS, ...details }, own.admin)).body.data
      for (const verb of verbs) await act(id, verb, own.admin)
      return id
    }
    const intake = await make({ title: 'Întâi' }, 'publish')
    await make({ title: 'Draft', type: 'survey' })
    await make({ title: 'Old' }, 'publish', 'archive')
    const gone = await make({ title: 'Gone' }, 'publish')
    assert.equal((await core.delete(at(gone), { as: own.admin })).status, 204)
    const titles = async (query: string) =>
      (await core.get(`/v1/form-templates?${query}`, { as: own.admin })).body.data.map(
        ({ title }: { title: string }) => title,
      )
    assert.deepEqual(
      await titles('sort=title'),
      ['Draft', 'Old', 'Întâi'].sort((a, b) => a.localeCompare(b, 'ro')),
    )
    assert.deepEqual(await titles('type=survey,nonsense'), ['Draft'])
    assert.deepEqual(await titles('status=published,archived'), ['Old', 'Întâi'])
    assert.deepEqual(await titles('q=intai'), ['Întâi'])
    const listed = await core.get('/v1/form-templates?limit=1&page=9', { as: own.admin })
    assert.deepEqual([listed.body.data, listed.body.pagination.total], [[], 3])
    assert.deepEqual((await core.get('/v1/form-templates/picker', { as: own.admin })).body, {
      data: [{ id: intake, name: 'Întâi', type: 'intake', version: 1 }],
    })
  })

  test('a deleted template is gone, its versions stay', async () => {
    const { id } = await created()
    await act(id, 'publish')
    const deletions = await Promise.all([1, 2, 3].map(() => core.delete(at(id), { as: clinic.admin })))
    assert.deepEqual(statusesOf(deletions), [204, 404, 404])
    for (const answer of [
      await read(id),
      await replace(id, DETAILS),
      await act(id, 'publish'),
      await core.get(at(id, '/versions'), { as: clinic.admin }),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'form_template_not_found'])
    assert.equal((await core.get(at(id, '/versions/1'), { as: clinic.admin })).status, 200)
  })

  test("another clinic's templates are not found on any route", async () => {
    const other = await core.organization()
    const { id } = await created()
    await act(id, 'publish')
    for (const unknown of [id, randomUUID()]) {
      for (const answer of [
        await read(unknown, other.admin),
        await core.put(at(unknown), { as: other.admin, body: DETAILS }),
        await core.delete(at(unknown), { as: other.admin }),
        await core.get(at(unknown, '/versions'), { as: other.admin }),
        await core.get(at(unknown, '/versions/1'), { as: other.admin }),
        ...(await Promise.all(['publish', 'archive', 'unarchive'].map((verb) => act(unknown, verb, other.admin)))),
      ])
        assert.deepEqual([answer.status, answer.body.error.code], [404, 'form_template_not_found'])
    }
    assert.equal((await core.get(at(id), { as: other.admin, headers: { 'x-organization-id': clinic.id } })).status, 403)
  })

  test('writing needs form_templates.manage (403); reading any permission for forms', async () => {
    const { id } = await created()
    const maker = await core.memberWith(clinic, ['forms.create'])
    const nobody = await core.memberWith(clinic, [])
    const manager = await core.memberWith(clinic, ['form_templates.manage'])
    for (const answer of [
      await create(DETAILS, maker),
      await act(id, 'publish', maker),
      await core.delete(at(id), { as: maker }),
    ])
      assert.deepEqual([answer.status, answer.body.error.required], [403, 'form_templates.manage'])
    assert.equal((await read(id, maker)).status, 200)
    assert.equal((await read(id, nobody)).status, 404)
    assert.equal((await act(id, 'publish', manager)).status, 200)
    const patient = await core.signIn()
    await core.acceptAll(await core.patient(clinic, patient))
    for (const path of ['/v1/form-templates', at(id), at(id, '/versions/1')])
      assert.equal((await core.get(path, { as: patient })).status, 403)
  })

  test('every write leaves an audit row and an event', async () => {
    const { id } = await created()
    await act(id, 'publish')
    await replace(id, { ...DETAILS, title: 'Other' })
    for (const verb of ['archive', 'unarchive']) await act(id, verb)
    await core.delete(at(id), { as: clinic.admin })
    const verbs = ['create', 'publish', 'update', 'archive', 'unarchive', 'delete']
    const entries = await core.database.query<{ action: string }>(
      `select action from audit_log where target_id = $1 order by occurred_at`,
      [id],
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      verbs.map((verb) => `form_templates.${verb}`),
    )
    const events = await core.database.query<{ type: string }>(
      `select type from outbox_events where payload ->> 'form_template_id' = $1 order by occurred_at`,
      [id],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['created', 'published', 'updated', 'archived', 'unarchived', 'deleted'].map((what) => `form_template.${what}`),
    )
  })
})
