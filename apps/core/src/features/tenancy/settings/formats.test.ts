import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const DEFAULTS = { date: 'dmy', clock: '24h', week: 'monday' }

describe('the formats of a clinic', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const settingsOf = (of: TestOrganization) => `/v1/organizations/${of.id}/settings`
  const change = (of: TestOrganization, body: object, as = of.admin) => core.patch(settingsOf(of), { as, body })
  const stored = async (of: TestOrganization) => (await core.get(settingsOf(of), { as: of.admin })).body.data

  test('a clinic has formats before it saves any settings: in its settings, its branding and the accounts of its people', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.acceptAll(await core.patient(clinic, person))
    assert.deepEqual((await stored(clinic)).formats, DEFAULTS)
    const branding = await core.get(`/v1/public/organizations/${clinic.slug}/branding`)
    assert.deepEqual(branding.body.data.formats, DEFAULTS)
    const { data: staff } = (await core.get('/v1/me', { as: clinic.admin })).body
    assert.deepEqual(
      [staff.current_organization.formats, staff.memberships[0].organization.formats],
      [DEFAULTS, DEFAULTS],
    )
    const { data: patient } = (await core.get('/v1/me', { as: person })).body
    assert.deepEqual(
      [patient.current_organization.formats, patient.patient_records[0].organization.formats],
      [DEFAULTS, DEFAULTS],
    )
  })

  test('an admin changes one format; the others, the colour and other clinics stay as they are', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.acceptAll(await core.patient(clinic, person))
    await change(clinic, { brand_color: '#0b5a61' })
    const changed = await change(clinic, { formats: { clock: '12h' } })
    assert.equal(changed.status, 200, changed.text)
    const expected = { ...DEFAULTS, clock: '12h' }
    assert.deepEqual([changed.body.data.formats, changed.body.data.brand_color], [expected, '#0b5a61'])
    const whole = { date: 'ymd', clock: '24h', week: 'sunday' }
    assert.deepEqual((await change(clinic, { formats: whole })).body.data.formats, whole)
    assert.deepEqual((await core.get(`/v1/public/organizations/${clinic.slug}/branding`)).body.data.formats, whole)
    const { data: staff } = (await core.get('/v1/me', { as: clinic.admin })).body
    assert.deepEqual([staff.current_organization.formats, staff.memberships[0].organization.formats], [whole, whole])
    const { data: patient } = (await core.get('/v1/me', { as: person })).body
    assert.deepEqual(patient.patient_records[0].organization.formats, whole)
    assert.deepEqual((await stored(other)).formats, DEFAULTS)
  })

  test('a change of formats is audited with its values before and after, and a stale one is refused', async () => {
    const clinic = await core.organization()
    const first = await change(clinic, { formats: { week: 'saturday' }, version: 1 })
    assert.equal(first.status, 200, first.text)
    const late = await change(clinic, { formats: { week: 'sunday' }, version: 1 })
    assert.deepEqual([late.status, late.body.error.code], [409, 'stale_version'])
    assert.equal(late.body.error.current.formats.week, 'saturday')
    const { body } = await core.get('/v1/audit-logs?action=organizations.update_settings', { as: clinic.admin })
    const entry = (await core.get(`/v1/audit-logs/${body.data[0].id}`, { as: clinic.admin })).body.data
    assert.deepEqual(entry.changes, [{ field: 'formats', before: DEFAULTS, after: { ...DEFAULTS, week: 'saturday' } }])
    assert.equal(body.data.length, 1)
  })

  test('unknown formats and people without the permission are refused, and nothing changes', async () => {
    const clinic = await core.organization()
    for (const formats of [{ date: 'dd.mm' }, { clock: null }, { week: 'friday' }, { zone: 'utc' }, 'dmy', null]) {
      const refused = await change(clinic, { formats })
      assert.deepEqual([refused.status, refused.body.error.code], [422, 'validation_failed'], JSON.stringify(formats))
    }
    const specialist = await core.member(clinic, 'specialist')
    assert.equal((await change(clinic, { formats: { clock: '12h' } }, specialist)).status, 403)
    assert.deepEqual((await stored(clinic)).formats, DEFAULTS)
  })
})
