import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Form } from '@tendon/contracts'
import { sql } from 'kysely'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools, type Patient, SMOKER, statusesOf } from './forms.testing.ts'

const DONE = { field_smoker: 'No' }

describe('signing a form', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let patient: Patient
  let templateId: string
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    await core.publishNotice(clinic)
    patient = await core.patient(clinic)
    templateId = await tools.template(clinic, [SMOKER, { key: 'note', label: 'Note', type: 'text' }])
  })
  after(() => core.close())

  async function completed(of = patient, template = templateId): Promise<string> {
    const { id } = await tools.form(clinic, of, template)
    await tools.ok(tools.save(id, clinic.admin, DONE), 200)
    return id
  }
  async function signed(of = patient, template = templateId): Promise<string> {
    const id = await completed(of, template)
    await tools.ok(tools.sign(id, clinic.admin), 200)
    return id
  }

  test('a completed form is signed by a person, once; other forms cannot be signed (400)', async () => {
    const { id } = await tools.form(clinic, patient, templateId)
    for (const values of [undefined, { field_note: 'x' }]) {
      if (values) await tools.ok(tools.save(id, clinic.admin, values), 200)
      const refused = await tools.sign(id, clinic.admin)
      assert.deepEqual([refused.status, refused.body.error.code], [400, 'form_not_completed'])
    }
    await tools.ok(tools.save(id, clinic.admin, DONE), 200)
    const specialist = await core.member(clinic, 'specialist')
    const { body } = await tools.sign(id, specialist)
    assert.deepEqual([body.id, body.status], [id, 'signed'])
    const form = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual(
      [form.status, form.signed_at, form.signed_by_principal_id],
      ['signed', body.signed_at, specialist.id],
    )
    assert.equal((await tools.sign(id, specialist)).body.error.code, 'form_already_signed')
  })

  test('a signature for an older version of the answers is refused (409 stale_version)', async () => {
    const { patient: me, as } = await tools.person(clinic)
    const { id } = await tools.form(clinic, me, templateId)
    await tools.ok(tools.save(id, as, { ...DONE, field_note: 'Pain 8' }), 200)
    const read = (await tools.read(id, clinic.admin)).body.data
    const { completed_at } = await tools.ok(tools.save(id, as, { field_note: 'Pain 1' }), 200)
    const sign = (body: unknown) => core.post(`/v1/forms/${id}/sign`, { as: clinic.admin, body })
    const stale = await sign({ completed_at: read.completed_at })
    assert.deepEqual(
      [stale.status, stale.body.error.code, stale.body.error.completed_at],
      [409, 'stale_version', completed_at],
    )
    for (const body of [{ completed_at: 'today' }, { completed_at: null }, { version: 1 }])
      assert.deepEqual((await sign(body)).body.error.code, 'validation_error')
    const again = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual([again.status, again.values.field_note], ['completed', 'Pain 1'])
    await tools.ok(sign({ completed_at: again.completed_at }), 200)
    assert.equal((await tools.verify(id, clinic.admin)).valid, true)
  })

  test('a service account cannot sign, whatever its role (403)', async () => {
    const id = await completed()
    const account = await tools.ok(
      core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
        as: clinic.admin,
        body: { name: 'Robot', role_id: clinic.roles.admin },
      }),
      201,
    )
    const key = await tools.ok(
      core.post(`/v1/organizations/${clinic.id}/service-accounts/${account.data.id}/keys`, {
        as: clinic.admin,
        body: { name: 'k' },
      }),
      201,
    )
    const robot = { token: key.data.key as string }
    assert.equal((await core.get(`/v1/forms/${id}`, { as: robot })).status, 200)
    const refused = await core.post(`/v1/forms/${id}/sign`, { as: robot })
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'])
  })

  test('every change of a signed form is refused (409 form_already_signed)', async () => {
    const id = await signed()
    const before = (await tools.read(id, clinic.admin)).body.data
    for (const answer of [
      await tools.save(id, clinic.admin, { field_note: 'x' }),
      await tools.save(id, clinic.admin, {}),
      await tools.sign(id, clinic.admin),
      await tools.remove(id, clinic.admin),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'form_already_signed'])
    const { patient: me, as } = await tools.person(clinic)
    const mine = await signed(me)
    assert.equal((await tools.save(mine, as, DONE)).body.error.code, 'form_already_signed')
    assert.deepEqual((await tools.read(id, clinic.admin)).body.data, before)
  })

  test('of parallel signatures, saves and deletions, what is signed stays: one signature, one audit row, one event', async () => {
    const id = await completed()
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => tools.sign(id, clinic.admin)),
      ...['a', 'b', 'c'].map((note) => tools.save(id, clinic.admin, { field_note: note })),
    ])
    assert.equal(answers.slice(0, 4).filter(({ status }) => status === 200).length, 1)
    const sealed = (await tools.read(id, clinic.admin)).body.data
    const removed = await Promise.all([
      tools.remove(id, clinic.admin),
      tools.save(id, clinic.admin, { field_note: 'late' }),
      tools.remove(id, clinic.admin),
    ])
    assert.deepEqual(statusesOf(removed), [409, 409, 409])
    assert.deepEqual((await tools.read(id, clinic.admin)).body.data, sealed)
    assert.equal((await tools.verify(id, clinic.admin)).valid, true)
    assert.equal((await tools.auditOf(id)).filter((action) => action === 'forms.sign').length, 1)
    assert.equal((await tools.eventsOf(id)).filter((type) => type === 'form.signed').length, 1)
  })

  test('a deletion and a signature at once: either there is a signed form, or none', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await completed()
      const [signature, deletion] = await Promise.all([tools.sign(id, clinic.admin), tools.remove(id, clinic.admin)])
      assert.ok(
        (signature?.status === 200 && deletion?.status === 409) ||
          (signature?.status === 404 && deletion?.status === 200),
        `${signature?.status} ${deletion?.status}`,
      )
    }
  })

  test('not even SQL of the application’s own login changes a signed form', async () => {
    const id = await signed()
    const context = { principalId: clinic.admin.id, organizationId: clinic.id, permissions: '*' }
    const run = (statement: string) => core.services.db.tenant(context, (tx) => sql.raw(statement).execute(tx))
    for (const change of [
      `values = '{}'`,
      `status = 'completed'`,
      'updated_at = now()',
      'signed_at = null',
      'seal = null',
    ]) {
      await assert.rejects(
        run(`update forms set ${change} where id = '${id}'`),
        { constraint: 'forms_signed_check' },
        change,
      )
    }
    await assert.rejects(run(`delete from forms where id = '${id}'`), { constraint: 'forms_signed_check' })
    await assert.rejects(run(`update forms set fields = '[]' where id = '${id}'`), { code: '42501' })
  })

  test('the seal is recomputed from the row, so a change made directly in the database is found', async () => {
    const id = await signed()
    const { valid, seal, signed_by_principal_id } = await tools.verify(id, clinic.admin)
    assert.deepEqual([valid, signed_by_principal_id], [true, clinic.admin.id])
    assert.match(seal, /^[0-9a-f]{64}$/)
    const unsigned = await completed()
    assert.deepEqual(await tools.verify(unsigned, clinic.admin), {
      id: unsigned,
      status: 'completed',
      valid: false,
      changed_files: [],
      seal: null,
      signed_at: null,
      signed_by_principal_id: null,
    })
    const { patient: me, as } = await tools.person(clinic)
    const mine = await signed(me)
    assert.equal((await tools.verify(mine, as)).valid, true)
    for (const change of [
      `values = values || '{"field_note": "forged"}'`,
      `fields = jsonb_set(fields, '{0,label}', '"Other"')`,
      `signed_at = signed_at - interval '1 second'`,
      `signed_by_principal_id = '${randomUUID()}'`,
      `template_version = template_version`,
      `title = 'Other'`,
      `seal = sha256('x')`,
    ]) {
      const forged = await signed()
      await core.database.query(`alter table forms disable trigger forms_refuse_signed`)
      await core.database.query(`update forms set ${change} where id = $1`, [forged])
      await core.database.query(`alter table forms enable trigger forms_refuse_signed`)
      assert.equal((await tools.verify(forged, clinic.admin)).valid, change.startsWith('template_version'), change)
    }
  })

  test('a correction is a new form with the signed one’s fields and values, also when the template is gone', async () => {
    const template = await tools.template(clinic, [SMOKER, { key: 'note', label: 'Note', type: 'text' }])
    const id = await signed(patient, template)
    const body = { form_template_id: template, patient_profile_id: patient.profile_id, amends_form_id: id }
    const other = await core.patient(clinic)
    const unsigned = await completed(patient, template)
    for (const wrong of [
      { amends_form_id: unsigned },
      { patient_profile_id: other.profile_id },
      { form_template_id: templateId },
    ]) {
      const refused = await tools.create(clinic, { ...body, ...wrong })
      assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [400, ['amends_form_id']])
    }
    await tools.ok(core.delete(`/v1/form-templates/${template}`, { as: clinic.admin }), 204)
    const { data } = await tools.ok(tools.create(clinic, body), 201)
    const original = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual(
      [data.amends_form_id, data.status, data.values, data.fields],
      [id, 'pending', DONE, original.fields],
    )
    await tools.ok(tools.save(data.id, clinic.admin, { field_note: 'Corrected' }), 200)
    await tools.ok(tools.sign(data.id, clinic.admin), 200)
    const corrections = await core.get(`/v1/forms?amends_form_id=${id}`, { as: clinic.admin })
    assert.deepEqual(
      corrections.body.data.map((row: { id: string }) => row.id),
      [data.id],
    )
    assert.equal((await tools.verify(id, clinic.admin)).valid, true)
  })

  test('a form names its correction once that is signed, in lists too', async () => {
    const me = await core.patient(clinic)
    const template = await tools.template(clinic, [SMOKER])
    const id = await signed(me, template)
    const correct = async (amends_form_id: string) => {
      const body = { form_template_id: template, patient_profile_id: me.profile_id, amends_form_id }
      return (await tools.ok(tools.create(clinic, body), 201)).data.id as string
    }
    const [first, second] = [await correct(id), await correct(id)]
    const seen = async (of = id) => {
      const listed = await core.get(`/v1/forms?patient_profile_id=${me.profile_id}`, { as: clinic.admin })
      const rows: Pick<Form, 'id' | 'amended_by_form_id' | 'amended_at'>[] = [
        (await tools.read(of, clinic.admin)).body.data,
        ...listed.body.data,
      ]
      return rows.filter((row) => row.id === of).map((row) => [row.amended_by_form_id, row.amended_at])
    }
    assert.deepEqual(await seen(), [
      [null, null],
      [null, null],
    ])
    for (const correction of [first, second]) {
      await tools.ok(tools.save(correction, clinic.admin, DONE), 200)
      const { signed_at } = await tools.ok(tools.sign(correction, clinic.admin), 200)
      assert.deepEqual(await seen(), [
        [correction, signed_at],
        [correction, signed_at],
      ])
    }
    assert.deepEqual(await seen(second), [
      [null, null],
      [null, null],
    ])
  })

  test('a signed consent form records consents in the version that was shown', async () => {
    const consent = await tools.template(clinic, [SMOKER], {
      type: 'consent',
      consent_purposes: ['telerehab', 'video_recording'],
    })
    const specialist = await core.memberWith(clinic, ['forms.view_org', 'patients.view_org', 'forms.sign'])
    const ledger = () =>
      core.database.query(
        `select purpose_code, purpose_version, source, source_form_id, granted_by_principal_id, withdrawn_at is null as active
         from consents where patient_profile_id = $1 order by purpose_code, granted_at`,
        [patient.profile_id],
      )
    const first = await tools.form(clinic, patient, consent)
    assert.deepEqual(first.consent_purposes, [
      { purpose_code: 'telerehab', purpose_version: 1 },
      { purpose_code: 'video_recording', purpose_version: 1 },
    ])
    await tools.ok(tools.save(first.id, clinic.admin, DONE), 200)
    assert.deepEqual(await ledger(), [], 'nothing before the signature')
    await tools.ok(tools.sign(first.id, specialist), 200)
    const row = (purpose_code: string, form: string, purpose_version = 1, active = true) => ({
      purpose_code,
      purpose_version,
      source: 'form',
      source_form_id: form,
      granted_by_principal_id: specialist.id,
      active,
    })
    assert.deepEqual(await ledger(), [row('telerehab', first.id), row('video_recording', first.id)])
    const granted = await core.database.query(
      `select 1 from audit_log where action = 'consents.grant' and patient_profile_id = $1`,
      [patient.profile_id],
    )
    assert.equal(granted.length, 2)

    const stale = await completed(patient, consent)
    await tools.ok(
      core.post('/v1/consent-purposes/telerehab/versions', {
        as: clinic.admin,
        body: { body_translations: { en: 'New text', ro: 'Text nou' } },
      }),
      201,
    )
    const refused = await tools.sign(stale, specialist)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'stale_version'])
    assert.equal((await tools.read(stale, clinic.admin)).body.data.status, 'completed', 'nothing of it happened')
    const second = await tools.form(clinic, patient, consent)
    const { purpose_version } = second.consent_purposes[0]
    await tools.ok(tools.save(second.id, clinic.admin, DONE), 200)
    await tools.ok(tools.sign(second.id, specialist), 200)
    assert.deepEqual(await ledger(), [
      row('telerehab', first.id, 1, false),
      row('telerehab', second.id, purpose_version),
      row('video_recording', first.id),
    ])
  })

  test('a consent cannot refer to a form that is not a signed consent form of that patient', async () => {
    const id = await signed()
    for (const form of [id, randomUUID(), null]) {
      await assert.rejects(
        core.database.query(
          `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source, source_form_id) values ($1, $2, 'analytics', 1, 'form', $3)`,
          [clinic.id, patient.profile_id, form],
        ),
        { constraint: 'consents_source_form_check' },
      )
    }
  })
})
