import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'

const TEMPLATE = {
  body_with_placeholders: {
    en: 'Notice of {{clinic_name}}.\n\n{{section:camera}}',
    ro: 'Nota {{clinic_name}}.\n\n{{section:camera}}',
  },
  placeholders: [{ key: 'clinic_name', required: true, label: { en: 'Name', ro: 'Nume' } }],
  toggleable_sections: [
    { key: 'camera', default: true, name: { en: 'Camera' }, body: { en: 'We measure.', ro: 'Măsurăm.' } },
  ],
}

describe('privacy notice templates', () => {
  let core: TestCore
  let operator: Person
  before(async () => {
    core = await startCore()
    operator = await core.superadmin()
  })
  after(() => core.close())

  const add = (body: unknown = TEMPLATE, as = operator) => core.post('/v1/admin/privacy-notice-templates', { as, body })
  const newest = async () => (await core.get('/v1/privacy-notice-templates', { as: operator })).body.data[0]

  test('the platform ships a template: two languages, optional sections, marked as not reviewed', async () => {
    const first = (await core.get('/v1/privacy-notice-templates/1', { as: operator })).body.data
    assert.deepEqual(Object.keys(first.body_with_placeholders), ['en', 'ro'])
    assert.match(first.body_with_placeholders.en, /reviewed by a lawyer/)
    assert.deepEqual(
      first.toggleable_sections.map((section: Json) => [section.key, section.default]),
      [
        ['telerehab_camera', true],
        ['video_consultations', false],
        ['ai_processing', false],
        ['marketing', false],
        ['transfers_outside_eu', false],
      ],
    )
    const { body_with_placeholders, placeholders, toggleable_sections } = first
    const again = await add({ body_with_placeholders, placeholders, toggleable_sections })
    assert.equal(again.status, 201, 'it keeps the rules that it would be held to')
  })

  test('a superadmin publishes the next version, with audit row and event, first in the list', async () => {
    const before = (await newest()).version
    const created = await add()
    assert.equal(created.status, 201, created.text)
    const { version } = created.body.data
    assert.equal(version, before + 1)
    assert.deepEqual(await newest(), created.body.data)
    assert.deepEqual((await core.get(`/v1/privacy-notice-templates/${version}`, { as: operator })).body, created.body)
    const trace = await core.database.query<Json>(
      `select (select count(*)::int from audit_log where action = 'privacy_notice_templates.publish' and organization_id is null) audited,
        (select count(*)::int from outbox_events where type = 'privacy_notice_template.published'
          and payload ->> 'version' = $1) told`,
      [String(version)],
    )
    assert.ok(trace[0].audited >= 1)
    assert.equal(trace[0].told, 1)
  })

  test('ten parallel publishes create ten versions without gaps or duplicates', async () => {
    const before = (await newest()).version
    const answers = await Promise.all(Array.from({ length: 10 }, () => add()))
    assert.deepEqual(
      answers.map(({ body }) => body.data.version).sort((a, b) => a - b),
      Array.from({ length: 10 }, (_, i) => before + 1 + i),
    )
  })

  test('undeclared and unused tokens are refused by field (422)', async () => {
    const refused = await add({
      body_with_placeholders: { en: '{{nobody}} {{section:nothing}}', ro: 'x' },
      placeholders: [{ key: 'Not A Key', required: true, label: {} }],
      toggleable_sections: [],
    })
    assert.equal(refused.status, 422)
    assert.ok('placeholders.0.key' in refused.body.error.fields)
    const undeclared = await add({ ...TEMPLATE, placeholders: [], toggleable_sections: [] })
    assert.deepEqual(Object.keys(undeclared.body.error.fields).sort(), [
      'body_with_placeholders.en',
      'body_with_placeholders.ro',
    ])
  })

  test('only a superadmin publishes one; an unknown version is 404', async () => {
    const { admin } = await core.organization()
    assert.equal((await add(TEMPLATE, admin)).status, 403)
    const unknown = await core.get('/v1/privacy-notice-templates/999999', { as: admin })
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'privacy_notice_template_not_found'])
    for (const bad of ['x', '0', '1.5', '-1', '99999999999', '%00'])
      assert.equal((await core.get(`/v1/privacy-notice-templates/${bad}`, { as: admin })).status, 404, bad)
  })

  test('when a new template version is published, a clinic’s notice stays in effect and is marked as outdated', async () => {
    await add()
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}/privacy-notice`
    const body = { placeholder_values: { clinic_name: 'Unu' }, included_sections: ['camera'] }
    const draft = await core.put(path, { as: clinic.admin, body })
    assert.equal(draft.status, 200, draft.text)
    const published = (await core.post(`${path}/publish`, { as: clinic.admin })).body.data
    assert.equal(published.republish_needed, false)

    const moved = { ...TEMPLATE, body_with_placeholders: { en: 'New for {{clinic_name}}. {{section:camera}}' } }
    const version = (await add({ ...moved, toggleable_sections: [{ ...TEMPLATE.toggleable_sections[0], body: { en: 'New.' } }] })).body.data.version // biome-ignore format: one line
    const prompted = (await core.get(path, { as: clinic.admin })).body.data
    assert.deepEqual([prompted.republish_needed, prompted.latest_template_version], [true, version])
    assert.deepEqual(prompted.assembled_body, published.assembled_body)
    assert.equal(prompted.draft.template_version, published.source_template_version)

    const previewed = await core.post(`${path}/preview`, { as: clinic.admin, body: { template_version: version } })
    assert.deepEqual(previewed.body.data.assembled_body, { en: 'New for Unu. New.' })
    await core.put(path, { as: clinic.admin, body })
    const again = (await core.post(`${path}/publish`, { as: clinic.admin })).body.data
    assert.deepEqual([again.republish_needed, again.published_version, again.body], [false, 2, 'New for Unu. New.'])
  })
})
