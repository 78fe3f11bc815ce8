import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { bodyOf, FILES, partOf, upload } from '../../../platform/uploads.testing.ts'
import type { Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools } from '../../records/forms/forms.testing.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

describe('rows kept after an erasure do not identify the patient', () => {
  let core: CoreAndWorker
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    tools = formTools(core)
    clinic = await core.organization()
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  /** Somebody who agreed to something, took it back, and put a file into a form that the clinic then signed. */
  async function scene() {
    const { patient, as } = await tools.person(clinic)
    const grants = [
      { purpose_code: 'analytics', purpose_version: 1, organization_id: clinic.id, source: 'self_toggle' },
    ]
    const { data } = await tools.ok(core.post('/v1/me/consents', { as, body: { grants } }), 201)
    await tools.ok(core.post(`/v1/me/consents/${data[0].id}/withdraw`, { as }), 200)
    const template = await tools.template(clinic, [{ key: 'scan', label: 'Scan', type: 'file' }])
    const form = await tools.form(clinic, patient, template)
    const file = bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf'))
    const sent = await upload(`${core.url}/v1/forms/${form.id}/files/field_scan`, as, file)
    assert.equal(sent.status, 201, JSON.stringify(sent.body))
    await tools.ok(tools.save(form.id, clinic.admin, {}), 200)
    await tools.ok(tools.sign(form.id, clinic.admin), 200)
    const switched = { as, body: { organization_id: clinic.id } }
    await tools.ok(core.put('/v1/me/switch-organization', switched), 200)
    assert.deepEqual(await naming(as), [
      'consents.granted_by_principal_id',
      'consents.withdrawn_by_principal_id',
      'form_files.uploaded_by_principal_id',
    ])
    return { patient, as, form }
  }

  /** The columns that name who acted, and still name them. The log does, and what they sign. */
  async function naming({ id }: Person): Promise<string[]> {
    const columns = await core.database.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and column_name like '%principal_id' and table_name <> 'audit_log' order by 1, 2`,
    )
    const found: string[] = []
    for (const { table, column } of columns) {
      const rows = await core.database.query(`select 1 from ${table} where ${column} = $1`, [id])
      if (rows.length > 0) found.push(`${table}.${column}`)
    }
    return found
  }
  const currentClinic = async ({ id }: Person) =>
    (
      await core.database.query<{ id: string | null }>(
        'select current_organization_id as id from humans where id = $1',
        [id],
      )
    )[0]?.id

  test('when the clinic erases them, also while processing is restricted', async () => {
    for (const restricted of [false, true]) {
      const { patient, as, form } = await scene()
      if (restricted) {
        const body = { patient_id: patient.id, restricted, reason: 'The patient asked for it' }
        await tools.ok(core.post('/v1/gdpr/restrict', { as: clinic.admin, body }), 200)
      }
      const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
      assert.equal(request.status, 'completed', JSON.stringify(request))
      assert.deepEqual(await naming(as), [])
      assert.equal(await currentClinic(as), null)
      assert.equal((await tools.verify(form.id, clinic.admin)).valid, true, 'what is signed still verifies')
    }
  })

  test('when they erase their account', async () => {
    const { patient, as } = await scene()
    await tools.ok(core.post('/v1/me/erase', { as, body: { confirm: 'ERASE' } }), 200)
    assert.deepEqual(await naming(as), [], 'at once: later nobody could say whose it was')
    await until(
      async () =>
        (await core.database.query('select 1 from patients where id = $1 and erased_at is not null', [patient.id]))
          .length > 0,
    )
    assert.deepEqual(await naming(as), [])
  })

  test('an account of staff keeps the clinic as its current one', async () => {
    const { patient, as } = await scene()
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
      [clinic.id, as.id, clinic.roles.specialist],
    )
    await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(await currentClinic(as), clinic.id)
  })

  test('the uploader of a file in a signed form cannot be changed otherwise', async () => {
    const { form } = await scene()
    await assert.rejects(
      core.database.query('update form_files set uploaded_by_principal_id = $2 where form_id = $1', [
        form.id,
        clinic.admin.id,
      ]),
      /the form is signed/,
    )
  })
})
