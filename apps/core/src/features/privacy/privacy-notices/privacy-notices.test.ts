import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const VALUES = {
  clinic_name: 'Clinica Mlădița',
  legal_name: 'Mlădița Medical SRL',
  address: 'Strada Lipscani 12, București',
  contact_email: 'privacy@mladita.example',
  dpo_contact: 'Ana Ionescu, dpo@mladita.example',
  retention_years: '10',
}
const MANAGE = 'organizations.manage_privacy_notice'

describe('privacy notices', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const pathOf = ({ id }: { id: string }, step = '') => `/v1/organizations/${id}/privacy-notice${step}`
  const read = (of: TestOrganization, as: Person = of.admin) => core.get(pathOf(of), { as })
  const write = (of: TestOrganization, values: object = {}, as: Person = of.admin) =>
    core.put(pathOf(of), { as, body: { placeholder_values: VALUES, included_sections: [], ...values } })
  const publish = (of: TestOrganization, headers = {}, as: Person = of.admin) =>
    core.post(pathOf(of, '/publish'), { as, headers })

  test('a new clinic gets a draft with the default sections and its own data as suggestions', async () => {
    const clinic = await core.organization({
      name: 'Unu',
      legal_name: 'Unu SRL',
      address: { line1: 'Strada 1', postal_code: '700001', city: 'Iași', country: 'RO' },
    })
    const { data } = (await read(clinic)).body
    assert.deepEqual([data.published_version, data.assembled_body, data.body], [null, null, null])
    assert.equal(data.republish_needed, false)
    assert.deepEqual(data.draft, {
      template_version: data.latest_template_version,
      placeholder_values: {},
      included_sections: ['telerehab_camera'],
      missing_placeholders: Object.keys(VALUES),
      suggested_values: { clinic_name: 'Unu', legal_name: 'Unu SRL', address: 'Strada 1, 700001 Iași, RO' },
      unpublished_changes: true,
    })
  })

  test('a draft is saved, audited with its diff, and shown only to callers who can edit it', async () => {
    const clinic = await core.organization()
    const written = await write(clinic, { included_sections: ['marketing', 'ai_processing'] })
    assert.equal(written.status, 200, written.text)
    assert.deepEqual(written.body.data.draft.included_sections, ['ai_processing', 'marketing'], 'in template order')
    assert.deepEqual(written.body.data.draft.missing_placeholders, [])
    assert.equal('draft' in (await read(clinic, await core.member(clinic, 'specialist'))).body.data, false)
    await write(clinic, { included_sections: ['marketing', 'ai_processing'] })
    const entries = (await core.get('/v1/audit-logs?action=privacy_notices.update', { as: clinic.admin })).body.data
    assert.equal(entries.length, 1, 'a change that changes nothing leaves no entry')
    const { changes } = (await core.get(`/v1/audit-logs/${entries[0].id}`, { as: clinic.admin })).body.data
    assert.deepEqual(changes.map((change: Json) => change.field).sort(), [
      'draft_included_sections',
      'draft_placeholder_values',
    ])
  })

  test('unknown placeholders, sections and template versions are refused (422), each by its name', async () => {
    const clinic = await core.organization()
    const body = { placeholder_values: { ...VALUES, iban: 'x' }, included_sections: ['marketing', 'spying'] }
    for (const refused of [
      await core.put(pathOf(clinic), { as: clinic.admin, body }),
      await core.post(pathOf(clinic, '/preview'), { as: clinic.admin, body }),
    ]) {
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refused.body.error.fields), ['placeholder_values.iban', 'included_sections.1'])
    }
    const unknown = await write(clinic, { template_version: 1_000_000 })
    assert.deepEqual([unknown.status, Object.keys(unknown.body.error.fields)], [422, ['template_version']])
    const twice = await write(clinic, { included_sections: ['marketing', 'marketing'] })
    assert.equal(twice.status, 422)
    assert.equal((await read(clinic)).body.data.draft.included_sections.length, 1, 'nothing was saved')
  })

  test('a preview renders the given values or the draft, saves nothing and lists missing values', async () => {
    const clinic = await core.organization()
    await write(clinic)
    const preview = (body?: object) => core.post(pathOf(clinic, '/preview'), { as: clinic.admin, body })
    const ofDraft = (await preview()).body.data
    assert.deepEqual((await preview({})).body.data, ofDraft)
    assert.equal((await preview({ sections: [] })).status, 422)
    assert.deepEqual(ofDraft.missing_placeholders, [])
    assert.match(ofDraft.assembled_body.en, /^Privacy notice of Clinica Mlădița\n/)
    assert.match(ofDraft.assembled_body.ro, /^Nota de informare a clinicii Clinica Mlădița\n/)
    assert.doesNotMatch(ofDraft.assembled_body.en, /Transfers outside|\{\{/)
    const abroad = (await preview({ included_sections: ['transfers_outside_eu'] })).body.data
    assert.deepEqual(abroad.missing_placeholders, ['transfer_countries'])
    assert.match(abroad.assembled_body.en, /work in \[Countries outside the EU that receive data\]\./)
    assert.deepEqual((await read(clinic)).body.data.draft.included_sections, [])
  })

  test('publishing refuses with each missing placeholder, those of the chosen sections too', async () => {
    const clinic = await core.organization()
    const { dpo_contact: _, ...values } = VALUES
    await write(clinic, {
      placeholder_values: { ...values, legal_name: '  ' },
      included_sections: ['transfers_outside_eu'],
    })
    const refused = await publish(clinic)
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.error.fields, {
      'placeholder_values.legal_name': 'is required: Legal name of the company',
      'placeholder_values.dpo_contact': 'is required: Data protection officer: name and contact',
      'placeholder_values.transfer_countries': 'is required: Countries outside the EU that receive data',
    })
    assert.equal((await publish(await core.organization())).status, 422, 'nothing was ever filled in')
  })

  test('a value without a letter or digit counts as missing: publishing names it (422), and publishes nothing', async () => {
    const clinic = await core.organization()
    for (const retention_years of ['-', '–', ' ... ', '?', '___']) {
      const written = await write(clinic, { placeholder_values: { ...VALUES, retention_years } })
      assert.deepEqual(written.body.data.draft.missing_placeholders, ['retention_years'])
      const preview = await core.post(pathOf(clinic, '/preview'), { as: clinic.admin })
      assert.deepEqual(preview.body.data.missing_placeholders, ['retention_years'])
      const refused = await publish(clinic)
      assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['placeholder_values.retention_years']]) // biome-ignore format: one line
    }
    assert.equal((await read(clinic)).body.data.published_version, null)
    await write(clinic, { placeholder_values: { ...VALUES, retention_years: 'Ж' } })
    assert.equal((await publish(clinic)).status, 201)
  })

  test('a preview says how many patients must accept the text, to those who may see patients', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const preview = async (as: Person) =>
      (await core.post(pathOf(clinic, '/preview'), { as })).body.data.patients_to_ask
    assert.equal(await preview(clinic.admin), 0)
    await core.patient(clinic, await core.signIn())
    await core.patient(clinic, await core.signIn())
    await core.patient(clinic)
    await core.patient(other, await core.signIn())
    const gone = await core.patient(clinic, await core.signIn())
    await core.database.query('update patients set deleted_at = now() where id = $1', [gone.id])
    assert.equal(await preview(clinic.admin), 2, 'neither those without an account nor deleted ones')
    assert.equal(await preview(await core.memberWith(clinic, [MANAGE])), null, 'unknown, and not 0')
  })

  test('publishing creates a version of org_privacy_notice, which is used until the next one', async () => {
    const clinic = await core.organization()
    await write(clinic, { placeholder_values: { ...VALUES, transfer_countries: 'not in the text' } })
    const first = await publish(clinic)
    assert.equal(first.status, 201, first.text)
    const { published_version, assembled_body, published_by_principal_id, placeholder_values } = first.body.data
    assert.deepEqual([published_version, published_by_principal_id], [1, clinic.admin.id])
    assert.deepEqual(placeholder_values, VALUES, 'only placeholders of the text')
    assert.equal(first.body.data.draft.unpublished_changes, false)

    const rewritten = await write(clinic, { placeholder_values: { ...VALUES, clinic_name: 'Alt nume' } })
    assert.equal(rewritten.body.data.assembled_body.en, assembled_body.en)
    assert.equal(rewritten.body.data.draft.unpublished_changes, true)
    const second = (await publish(clinic)).body.data
    assert.equal(second.published_version, 2)
    assert.match(second.body, /^Privacy notice of Alt nume/)

    const versions = (await core.get('/v1/consent-purposes/org_privacy_notice/versions', { as: clinic.admin })).body
    assert.deepEqual(
      versions.data.map((row: Json) => [row.version, row.body_translations]),
      [[2, second.assembled_body], [1, assembled_body]], // biome-ignore format: rows
    )
    const events = await core.database.query<Json>(
      `select type, payload ->> 'version' as version from outbox_events where organization_id = $1
       and type in ('privacy_notice.published', 'consent_purpose.version_published') order by id`,
      [clinic.id],
    )
    assert.deepEqual(
      events.map(({ type, version }) => `${type} ${version}`).sort(),
      [1, 2].flatMap((n) => [`consent_purpose.version_published ${n}`, `privacy_notice.published ${n}`]).sort(),
    )
    const audited = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'privacy_notices.publish'`,
      [clinic.id],
    )
    assert.equal(audited.length, 2)
  })

  test('twenty parallel publishes create versions without gaps or duplicates, and the last one is shown', async () => {
    const clinic = await core.organization()
    await write(clinic)
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(clinic)))
    const versions = answers.map(({ body }) => body.data.published_version).sort((a, b) => a - b)
    assert.deepEqual(
      versions,
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    assert.equal((await read(clinic)).body.data.published_version, 20)
  })

  test('an Idempotency-Key publishes once, also when both requests are in flight', async () => {
    const clinic = await core.organization()
    await write(clinic)
    const headers = { 'idempotency-key': 'once-only' }
    const [one, two] = await Promise.all([publish(clinic, headers), publish(clinic, headers)])
    assert.equal(one.text, two.text)
    assert.equal((await read(clinic)).body.data.published_version, 1)
  })

  test('a draft that somebody changed after it was read is not published (409), with the draft as it is now', async () => {
    const clinic = await core.organization()
    const { version } = (await write(clinic)).body.data
    const colleague = await core.memberWith(clinic, [MANAGE])
    await write(clinic, { placeholder_values: { ...VALUES, retention_years: '99' } }, colleague)
    const byBody = core.post(pathOf(clinic, '/publish'), { as: clinic.admin, body: { version } })
    for (const { status, body } of [await byBody, await publish(clinic, { 'if-match': `"${version}"` })]) {
      const { code, current_version, current, changed_by } = body.error
      assert.deepEqual([status, code, current_version], [409, 'stale_version', version + 1])
      assert.equal(current.draft.placeholder_values.retention_years, '99')
      assert.equal(changed_by.principal_id, colleague.id)
    }
    assert.equal((await read(clinic)).body.data.published_version, null)
    const headers = { 'if-match': `"${version + 1}"`, 'idempotency-key': randomUUID() }
    const published = await publish(clinic, headers)
    assert.deepEqual([published.status, published.body.data.published_version], [201, 1])
    const repeated = await publish(clinic, headers)
    assert.deepEqual([repeated.status, repeated.body], [201, published.body])
    const unread = await core.post(pathOf(clinic, '/publish'), { as: clinic.admin, body: { version: 'one' } })
    assert.equal(unread.status, 422)
  })

  test('of two parallel first drafts both succeed and one is kept', async () => {
    const clinic = await core.organization()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => write(clinic, { placeholder_values: { phone: `${i}` } })),
    )
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    assert.match((await read(clinic)).body.data.draft.placeholder_values.phone, /^[0-7]$/)
  })

  test('a patient reads the notice before giving any consent, in their language and without the draft', async () => {
    const clinic = await core.organization({ language_code: 'ro' })
    await write(clinic)
    await publish(clinic)
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    assert.equal((await core.get('/v1/organizations', { as: person })).status, 412)
    const shown = (await read(clinic, person)).body.data
    assert.match(shown.body, /^Nota de informare/)
    assert.equal('draft' in shown, false)
    for (const path of ['/v1/privacy-notice-templates', '/v1/privacy-notice-templates/1'])
      assert.equal((await core.get(path, { as: person })).status, 200)
    await core.acceptAll(patient)
    assert.equal((await core.get('/v1/organizations', { as: person })).status, 200)
    await publish(clinic)
    const closed = await core.get('/v1/organizations', { as: person })
    assert.deepEqual(
      [closed.status, closed.body.error.missing_purposes],
      [
        412,
        [
          {
            organization_id: clinic.id,
            organization_name: 'Clinica Test',
            purpose_code: 'org_privacy_notice',
            purpose_name: 'Nota de informare a clinicii',
            required_version: 2,
            body: shown.body,
          },
        ],
      ],
    )
  })

  test('writing, preview and publishing need the permission, at the caller’s clinic only', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const member = await core.memberWith(clinic, ['organizations.update'])
    const preview = (of: TestOrganization, as: Person, headers = {}) =>
      core.post(pathOf(of, '/preview'), { as, headers, body: {} })
    for (const refused of [
      await write(clinic, {}, member),
      await publish(clinic, {}, member),
      await preview(clinic, member),
    ])
      assert.deepEqual([refused.status, refused.body.error.required], [403, MANAGE])
    const patient = await core.signIn()
    await core.acceptAll(await core.patient(clinic, patient))
    assert.equal((await write(clinic, {}, patient)).status, 403)
    const stranger = await core.signIn()
    for (const as of [other.admin, stranger]) {
      const headers = { 'x-organization-id': clinic.id }
      assert.equal((await read(clinic, as)).body.error.code, 'organization_mismatch')
      assert.equal((await core.get(pathOf(clinic), { as, headers })).status, 403)
      assert.equal((await publish(clinic, headers, as)).status, 403)
      assert.equal((await preview(clinic, as, headers)).status, 403)
    }
    const operator = await core.superadmin()
    assert.equal((await write(clinic, {}, operator)).status, 200, 'a superadmin helps a clinic with its notice')
    assert.equal((await read(other)).body.data.draft.placeholder_values.clinic_name, undefined)
  })

  test('anybody can read the published notice of a clinic by its slug, and nothing else', async () => {
    const clinic = await core.organization({ language_code: 'ro', contact_email: 'secret@clinic.example' })
    const path = `/v1/public/organizations/${clinic.slug}/privacy-notice`
    await write(clinic)
    assert.deepEqual([(await core.get(path)).status, (await core.get(path)).body.error.code], [404, 'privacy_notice_not_found']) // biome-ignore format: one line
    await publish(clinic)
    await write(clinic, { placeholder_values: { ...VALUES, clinic_name: 'Not published yet' } })
    const { data } = (await core.get(path)).body
    assert.deepEqual(Object.keys(data).sort(), ['body', 'body_translations', 'organization_name', 'published_at', 'version']) // biome-ignore format: one line
    assert.deepEqual([data.version, data.organization_name, data.body], [1, 'Clinica Test', data.body_translations.ro])
    assert.match(data.body, /^Nota de informare a clinicii Clinica Mlădița/)
    assert.equal((await core.get(`/v1/public/organizations/${randomUUID()}/privacy-notice`)).status, 404)
  })
})
