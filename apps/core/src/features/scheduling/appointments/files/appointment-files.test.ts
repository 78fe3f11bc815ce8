import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bodyOf, FILES, partOf, upload } from '../../../../platform/uploads.testing.ts'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../../testing/core.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../../clinic.testing.ts'

const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]

describe('files of appointments', () => {
  let core: TestCore
  let clinic: SchedulingClinic
  let person: Person
  let patient: { id: string; profile_id: string }
  let visit: string
  let path: string
  before(async () => {
    core = await sharedCore()
    clinic = await schedulingClinic(core)
    ;({ person, patient } = await newPatient())
    visit = await book(10, patient.id)
    path = `/v1/appointments/${visit}/files`
  })
  after(() => core.close())

  async function newPatient() {
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    return { person, patient }
  }
  async function book(hour: number, patient_id?: string): Promise<string> {
    const body = {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(hour).toISOString(),
      ...(patient_id ? { patient_id } : {}),
    }
    return (await created(core.post('/v1/appointments', { as: clinic.admin, body }))).id
  }
  const send = (as: Person, content = FILES.pdf, type = 'application/pdf', to = path) =>
    upload(core.url + to, as, bodyOf(partOf(content, type, 'Bilet.pdf')))
  const list = (as: Person, of = path) => core.get(of, { as })
  const remove = (as: Person, id: string) => core.delete(`${path}/${id}`, { as })

  test('staff and the patient upload and download; each upload adds a file', async () => {
    const byStaff = await send(clinic.admin)
    assert.equal(byStaff.status, 201, JSON.stringify(byStaff.body))
    const byPatient = await send(person, FILES.png, 'image/png')
    for (const as of [clinic.admin, person]) {
      const ids = (await list(as)).body.data.map(({ id }: { id: string }) => id)
      assert.deepEqual(ids, [byStaff.body.data.id, byPatient.body.data.id])
      const redirect = await core.get(`${path}/${byStaff.body.data.id}`, { as })
      assert.equal(redirect.status, 302)
      const { pathname, search } = new URL(redirect.headers.get('location') ?? '')
      const file = await fetch(core.url + pathname + search)
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), FILES.pdf)
      assert.equal(file.headers.get('content-disposition'), 'attachment; filename="Bilet.pdf"')
    }
    assert.deepEqual(codeOf(await remove(person, byStaff.body.data.id)), [403, 'forbidden'])
    assert.equal((await remove(person, byPatient.body.data.id)).status, 204)
    assert.equal((await remove(clinic.admin, byStaff.body.data.id)).status, 204)
    assert.deepEqual(codeOf(await remove(clinic.admin, byStaff.body.data.id)), [404, 'file_not_found'])
    const doomed = await core.database.query('select 1 from unclaimed_objects where object_key like $1', [
      `appointment-files/${clinic.id}/%`,
    ])
    assert.equal(doomed.length, 2)
  })

  test('other patients and other clinics get 404', async () => {
    const { id } = (await send(clinic.admin)).body.data
    const stranger = await newPatient()
    const other = await schedulingClinic(core)
    for (const as of [stranger.person, other.admin]) {
      assert.deepEqual(codeOf(await list(as)), [404, 'appointment_not_found'])
      assert.deepEqual(codeOf(await send(as)), [404, 'appointment_not_found'])
      assert.deepEqual(codeOf(await core.get(`${path}/${id}`, { as })), [404, 'appointment_not_found'])
      assert.deepEqual(codeOf(await remove(as, id)), [404, 'appointment_not_found'])
    }
    const viewer = await core.memberWith(clinic, ['appointments.view_org'])
    assert.equal((await list(viewer)).status, 200)
    assert.deepEqual(codeOf(await send(viewer)), [403, 'forbidden'])
  })

  test('a file of another kind, or over 10 MB, is refused', async () => {
    assert.deepEqual(codeOf(await send(clinic.admin, FILES.exe, 'application/pdf')), [400, 'invalid_file_type'])
    assert.deepEqual(codeOf(await send(clinic.admin, Buffer.from('<svg/>'), 'image/svg+xml')), [
      400,
      'invalid_file_type',
    ])
    const large = Buffer.concat([FILES.pdf, Buffer.alloc(10 * 1024 * 1024)])
    assert.deepEqual(codeOf(await send(clinic.admin, large)), [400, 'file_too_large'])
  })

  test('linking a booking to a patient gives the patient its files', async () => {
    const booking = await book(12)
    const files = `/v1/appointments/${booking}/files`
    assert.equal((await send(clinic.admin, FILES.pdf, 'application/pdf', files)).status, 201)
    assert.deepEqual(codeOf(await list(person, files)), [404, 'appointment_not_found'])
    const body = { patient_id: patient.id }
    assert.equal((await core.post(`/v1/appointments/${booking}/link-patient`, { as: clinic.admin, body })).status, 200)
    assert.equal((await list(person, files)).body.data.length, 1)
  })

  test('uploads, reads and deletions are audited', async () => {
    const { id } = (await send(clinic.admin)).body.data
    await core.get(`${path}/${id}`, { as: clinic.admin })
    await remove(clinic.admin, id)
    const rows = await core.database.query<{ action: string }>(
      `select action from audit_log where target_id = $1 and action like 'appointment_files.%' order by occurred_at desc, id desc limit 3`,
      [visit],
    )
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['appointment_files.delete', 'appointment_files.read', 'appointment_files.upload'],
    )
  })
})
