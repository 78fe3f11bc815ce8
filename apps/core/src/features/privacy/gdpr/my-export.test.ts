import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { unzip } from '../../../platform/zip.testing.ts'
import type { Answer, Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { documentTools } from '../../documents/documents.testing.ts'
import { formTools, type Patient, SMOKER } from '../../records/forms/forms.testing.ts'
import { startCoreAndWorker } from './work.testing.ts'

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('a patient’s own export', () => {
  let core: Awaited<ReturnType<typeof startCoreAndWorker>>
  let stop: () => Promise<void>
  let clinic: TestOrganization
  let patient: Patient
  let person: Person
  before(async () => {
    core = await startCoreAndWorker()
    stop = await core.startWorker()
    clinic = await core.organization()
    ;({ patient, as: person } = await formTools(core).person(clinic))
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const as = () => ({ as: person, headers: { 'x-organization-id': clinic.id } })
  const finished = (id: string) =>
    until(async () => {
      const { body } = await core.get(`/v1/me/exports/${id}`, as())
      return body.data.status === 'completed' ? body.data : undefined
    })

  test('a patient’s own export contains the documents with their files, and only the requester can download it', async () => {
    const forms = formTools(core)
    const { id: form } = await forms.form(clinic, patient, await forms.template(clinic, [SMOKER]))
    await forms.save(form, clinic.admin, { field_smoker: 'No' })
    const tools = documentTools(core)
    const document = await tools.ok(core.post(`/v1/forms/${form}/render`, { as: clinic.admin }))
    const asked = await core.post('/v1/me/export', as())
    assert.equal(asked.status, 202, asked.text)
    assert.deepEqual(Object.keys(asked.body.data).sort(), [
      'completed_at',
      'created_at',
      'expires_at',
      'id',
      'organization_id',
      'progress',
      'status',
    ])
    const done = await finished(asked.body.data.id)
    const { pathname, search } = new URL(done.download_url)
    const zip = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const rows = zip.get('appointment_documents.ndjson')?.toString('utf8') ?? ''
    assert.ok(rows.includes(document.id), [...zip.keys()].join())
    const file = await tools.fileOf(document.id, person)
    assert.ok([...zip.values()].some((content) => content.equals(file)))
    assert.equal((await core.get('/v1/me/exports', as())).body.pagination.total, 1)
    const other = await formTools(core).person(clinic)
    const foreign = { as: other.as, headers: { 'x-organization-id': clinic.id } }
    assert.deepEqual(codeOf(await core.get(`/v1/me/exports/${done.id}`, foreign)), [404, 'privacy_request_not_found'])
    assert.equal((await core.get('/v1/me/exports', foreign)).body.pagination.total, 0)
    assert.equal((await core.post('/v1/me/export', { as: clinic.admin })).status, 403)
  })

  test('a patient’s own export covers each record of the person at the clinic, linked ones included', async () => {
    const owner = await core.signIn()
    const main = await core.patient(clinic, owner)
    await core.acceptAll(main)
    const second = await core.patient(clinic)
    const linked = await core.put(`/v1/patients/${second.id}/merged-into`, {
      as: clinic.admin,
      body: { patient_id: main.id },
    })
    assert.equal(linked.status, 200, linked.text)
    const own = { as: owner, headers: { 'x-organization-id': clinic.id } }
    const asked = await core.post('/v1/me/export', own)
    assert.equal(asked.status, 202, asked.text)
    const exportsOf = async () => (await core.get('/v1/me/exports', own)).body.data
    assert.equal((await exportsOf()).length, 2)
    await until(async () =>
      (await exportsOf()).every(({ status }: { status: string }) => status === 'completed') ? true : undefined,
    )
    const rows = await core.database.query<{ patient_id: string }>(
      `select patient_id from privacy_requests where requested_by_principal_id = $1 order by created_at, id`,
      [owner.id],
    )
    assert.deepEqual(new Set(rows.map(({ patient_id }) => patient_id)), new Set([main.id, second.id]))
    for (const { id } of await exportsOf())
      assert.ok((await core.get(`/v1/me/exports/${id}`, own)).body.data.download_url)
    assert.equal((await core.delete(`/v1/patients/${second.id}/merged-into`, { as: clinic.admin })).status, 204)
    assert.equal((await exportsOf()).length, 1)
  })

  test('an erasure deletes documents and their files, unless retention rules keep their source', async () => {
    const forms = formTools(core)
    const tools = documentTools(core)
    const { patient } = await forms.person(clinic)
    const template = await forms.template(clinic, [SMOKER])
    const printed = async (signed: boolean) => {
      const { id } = await forms.form(clinic, patient, template)
      await forms.save(id, clinic.admin, { field_smoker: 'No' })
      if (signed) await forms.sign(id, clinic.admin)
      return (await tools.ok(core.post(`/v1/forms/${id}/render`, { as: clinic.admin }))).id as string
    }
    const [open, kept] = [await printed(false), await printed(true)]
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed')
    const rows = await core.database.query<{ id: string; object_key: string }>(
      'select id, object_key from appointment_documents where patient_profile_id = $1',
      [patient.profile_id],
    )
    assert.deepEqual(
      rows.map(({ id }) => id),
      [kept],
    )
    const keys = await Array.fromAsync(core.services.objects.list(`documents/${clinic.id}/`))
    assert.ok(keys.includes(rows[0]?.object_key ?? ''))
    assert.ok(!(await core.database.query('select 1 from appointment_documents where id = $1', [open])).length)
    const entry = request.certificate.classes.find(({ name }: { name: string }) => name === 'appointment_documents')
    assert.equal(entry.strategy, 'delete')
  })
})
