import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PURPOSES } from '@tendon/contracts'
import { type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

describe('consent purposes', () => {
  let core: TestCore
  let operator: Person
  let clinic: TestOrganization
  let other: TestOrganization
  before(async () => {
    core = await startCore()
    operator = await core.superadmin()
    clinic = await core.organization()
    other = await core.organization()
  })
  after(() => core.close())

  const pathOf = (code: string) => `/v1/consent-purposes/${code}/versions`
  const publish = (as: Person, code: string, en = 'A new text', headers = {}) =>
    core.post(pathOf(code), { as, headers, body: { body_translations: { en, ro: `${en}, pe românește` } } })
  const purposeSeenBy = async (as: Person, code: string) =>
    (await core.get('/v1/consent-purposes', { as })).body.data.find((purpose: Json) => purpose.code === code)
  const versionsSeenBy = async (as: Person, code: string) =>
    (await core.get(pathOf(code), { as })).body.data.map((row: Json) => [row.organization_id, row.version])

  test('all are listed, with their legal basis and the current text', async () => {
    const { body } = await core.get('/v1/consent-purposes?sort=code', { as: clinic.admin })
    assert.deepEqual(
      body.data.map((purpose: Json) => purpose.code),
      [...PURPOSES].sort(),
    )
    assert.equal(body.pagination.total, PURPOSES.length)
    for (const { code, withdrawable, legal_basis, required, current } of body.data) {
      assert.equal(withdrawable, legal_basis === 'consent', code)
      assert.equal(required, !withdrawable, code)
      if (code === 'org_privacy_notice') assert.equal(current, null, 'a clinic must publish its own')
      else assert.deepEqual([current.organization_id, current.version], [null, 1], code)
    }
    const some = await core.get('/v1/consent-purposes?scope=platform', { as: clinic.admin })
    assert.equal(some.body.data.length, 2)
  })

  test('the text is in the language of the human, else of the clinic', async () => {
    const romanian = await core.organization({ language_code: 'ro' })
    const { current } = await purposeSeenBy(romanian.admin, 'telerehab')
    assert.equal(current.body, current.body_translations.ro)
    await core.patch('/v1/me', { as: romanian.admin, body: { preferred_language: 'en' } })
    assert.equal((await purposeSeenBy(romanian.admin, 'telerehab')).current.body, current.body_translations.en)
  })

  test('a clinic’s first text has a version number that nobody has accepted yet', async () => {
    const created = await publish(clinic.admin, 'marketing_sms')
    assert.equal(created.status, 201, created.text)
    const { version, organization_id, published_by_principal_id } = created.body.data
    assert.deepEqual([version, organization_id, published_by_principal_id], [2, clinic.id, clinic.admin.id])
    assert.equal((await purposeSeenBy(clinic.admin, 'marketing_sms')).current.body, 'A new text')
    assert.equal((await purposeSeenBy(other.admin, 'marketing_sms')).current.version, 1)
    assert.deepEqual(await versionsSeenBy(clinic.admin, 'marketing_sms'), [[clinic.id, 2], [null, 1]]) // biome-ignore format: rows
    assert.deepEqual(await versionsSeenBy(other.admin, 'marketing_sms'), [[null, 1]])
    assert.deepEqual(await versionsSeenBy(operator, 'marketing_sms'), [[null, 1]])
  })

  test('the platform’s next text applies to clinics without their own, whose version numbers continue above it', async () => {
    await publish(clinic.admin, 'telemedicine')
    const numbers = [await publish(operator, 'telemedicine'), await publish(operator, 'telemedicine')]
    assert.deepEqual(
      numbers.map(({ body }) => [body.data.organization_id, body.data.version]),
      [[null, 2], [null, 3]], // biome-ignore format: rows
    )
    assert.equal((await purposeSeenBy(clinic.admin, 'telemedicine')).current.organization_id, clinic.id)
    assert.equal((await purposeSeenBy(other.admin, 'telemedicine')).current.version, 3)
    assert.equal((await publish(other.admin, 'telemedicine')).body.data.version, 4)
  })

  test('a publication is audited with the text before and after, and has an event', async () => {
    const { body } = await publish(clinic.admin, 'video_recording')
    const { data } = await core
      .get('/v1/audit-logs?action=consent_purposes.publish_version', { as: clinic.admin })
      .then((answer) => answer.body)
    const entry = data.find((row: Json) => row.target.id === body.data.id)
    const full = (await core.get(`/v1/audit-logs/${entry.id}`, { as: clinic.admin })).body.data
    const change = full.changes.find((one: Json) => one.field === 'body_translations')
    assert.match(change.before.en, /^I agree that video consultations are recorded/)
    assert.equal(change.after.en, 'A new text')
    const events = await core.database.query<Json>(
      `select organization_id, payload from outbox_events where payload ->> 'consent_purpose_version_id' = $1`,
      [body.data.id],
    )
    assert.deepEqual([events.length, events[0].organization_id, events[0].payload.version], [1, clinic.id, 2])
    const ofPlatform = (await publish(operator, 'video_recording')).body.data.id
    const rows = await core.database.query('select organization_id from audit_log where target_id = $1', [ofPlatform])
    assert.deepEqual(rows, [{ organization_id: null }])
  })

  test('fifty parallel publishes, of clinics and of the platform, create versions without gaps or duplicates', async () => {
    const clinics = [clinic, other, await core.organization()]
    const people = [operator, ...clinics.map(({ admin }) => admin)]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        people.map((person, place) => publish(person, 'analytics', `Text ${turn * people.length + place}`)),
      ).flat(),
    )
    for (const answer of answers) assert.equal(answer.status, 201, answer.text)
    const versions = (of: Person) =>
      answers.filter(({ body }) => body.data.published_by_principal_id === of.id).map(({ body }) => body.data.version)
    assert.deepEqual(versions(operator).sort((a, b) => a - b), Array.from({ length: 12 }, (_, i) => i + 2)) // biome-ignore format: one line
    for (const { admin } of clinics) {
      const own: number[] = versions(admin).sort((a, b) => a - b)
      assert.equal(new Set(own).size, 12)
      assert.ok(own.every((version, i) => i === 0 || version > (own[i - 1] as number)))
      assert.ok((own[0] as number) > 1)
    }
  })

  test('an Idempotency-Key publishes once', async () => {
    const headers = { 'idempotency-key': 'publish-once' }
    const [first, second] = [
      await publish(other.admin, 'marketing_email', 'Once', headers),
      await publish(other.admin, 'marketing_email', 'Once', headers),
    ]
    assert.equal(first.text, second.text)
    assert.deepEqual(await versionsSeenBy(other.admin, 'marketing_email'), [[other.id, 2], [null, 1]]) // biome-ignore format: rows
  })

  test('texts of the platform’s purposes are published by the platform only (403)', async () => {
    for (const code of ['platform_terms', 'platform_privacy_notice']) {
      const refused = await publish(clinic.admin, code)
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], refused.text)
    }
  })

  test('the privacy notice of a clinic is published by its own route (409), also for the platform', async () => {
    for (const as of [clinic.admin, operator]) {
      const refused = await publish(as, 'org_privacy_notice')
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'use_privacy_notice_publish'])
    }
    await assert.rejects(
      core.database.query(
        `insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations)
         values ('org_privacy_notice', null, 1, '{}')`,
      ),
      /wrong place/,
    )
  })

  test('publishing a text needs organizations.manage_privacy_notice at that clinic (403)', async () => {
    const refused = await publish(await core.memberWith(clinic, ['organizations.update']), 'org_terms')
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'organizations.manage_privacy_notice'])
    const foreign = await publish(other.admin, 'org_terms', 'Foreign', { 'x-organization-id': clinic.id })
    assert.equal(foreign.status, 403)
    assert.deepEqual(await versionsSeenBy(clinic.admin, 'org_terms'), [[null, 1]])
  })

  test('a text is in English or in the clinic’s language; the platform’s in English', async () => {
    const romanian = await core.organization({ language_code: 'ro' })
    const write = (as: Person, body_translations: unknown) =>
      core.post(pathOf('ai_processing'), { as, body: { body_translations } })
    assert.equal((await write(romanian.admin, { ro: 'Numai românește' })).status, 201)
    assert.equal((await purposeSeenBy(romanian.admin, 'ai_processing')).current.body, 'Numai românește')
    for (const [as, texts] of [
      [clinic.admin, { ro: 'Numai românește' }],
      [operator, { ro: 'Numai românește' }],
      [clinic.admin, {}],
      [clinic.admin, { en: '  ' }],
      [clinic.admin, { en: 'A', de: 'B' }],
    ] as const) {
      const refused = await write(as, texts)
      assert.equal(refused.status, 422, refused.text)
      assert.match(Object.keys(refused.body.error.fields)[0] ?? '', /^body_translations/)
    }
  })

  test('an unknown purpose is 404', async () => {
    assert.equal((await core.get(pathOf('nothing'), { as: clinic.admin })).status, 404)
    assert.equal((await publish(clinic.admin, 'nothing')).status, 404)
    assert.equal((await core.post(pathOf('nothing'), { as: clinic.admin })).status, 404)
  })

  test('a new version closes the gate with its text in the patient’s language, and agreeing opens it', async () => {
    const romanian = await core.organization({ language_code: 'ro' })
    await core.publishNotice(romanian)
    const person = await core.signIn()
    await core.acceptAll(await core.patient(romanian, person))
    const headers = { 'x-organization-id': romanian.id }
    const knock = () => core.get('/v1/organizations', { as: person, headers })
    assert.equal((await knock()).status, 200)

    await publish(romanian.admin, 'org_terms', 'Terms of this clinic')
    const platform = (await publish(operator, 'platform_terms', 'New terms')).body.data.version
    const closed = await knock()
    assert.equal(closed.status, 412)
    const { missing_purposes } = closed.body.error
    assert.deepEqual(missing_purposes, [
      { organization_id: null, organization_name: null, purpose_code: 'platform_terms', purpose_name: 'Termenii platformei', required_version: platform, body: 'New terms, pe românește' },
      { organization_id: romanian.id, organization_name: 'Clinica Test', purpose_code: 'org_terms', purpose_name: 'Termenii clinicii', required_version: 2, body: 'Terms of this clinic, pe românește' },
    ]) // biome-ignore format: rows
    assert.equal((await core.get('/v1/consent-purposes', { as: person, headers })).status, 200)
    assert.equal((await core.get(pathOf('org_terms'), { as: person, headers })).status, 200)

    const grants = missing_purposes.map(({ organization_id, purpose_code, required_version }: Json) => ({
      organization_id,
      purpose_code,
      purpose_version: required_version,
      source: 'self_toggle',
    }))
    const granted = await core.post('/v1/me/consents', { as: person, headers, body: { grants } })
    assert.equal(granted.status, 201, granted.text)
    assert.equal((await knock()).status, 200)
  })
})
