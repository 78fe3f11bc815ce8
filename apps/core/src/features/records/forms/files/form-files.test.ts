import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { soakRuns } from '@tendon/testing'
import { bodyOf, FILES, openUpload, partOf, upload } from '../../../../platform/uploads.testing.ts'
import { type Json, type Person, sharedCore, type TestCore } from '../../../../testing/core.ts'
import type { TestOrganization } from '../../../../testing/people.ts'
import { formTools, type Patient, SMOKER } from '../forms.testing.ts'

const SCAN = { key: 'scan', label: 'Referral', type: 'file', allowed_file_types: ['application/pdf', 'image/png'] }
const SMALL = {
  key: 'small',
  label: 'Small',
  type: 'file',
  max_file_size: 100,
  allowed_file_types: ['application/pdf'],
}
const SECRET = { key: 'secret', label: 'For the doctor', type: 'file', private: true }
const LETTER = { key: 'letter', label: 'From the clinic', type: 'file', read_only: true }
const VIEW_PERMISSIONS = ['forms.view_org', 'patients.view_org']

const pdf = () => Buffer.concat([FILES.pdf, randomBytes(20)])
const PDF_BODY = bodyOf(partOf(FILES.pdf, 'application/pdf', 'Bilet.pdf'))

describe('form files', () => {
  let core: TestCore
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let other: TestOrganization
  let patient: Patient
  let patientPerson: Person
  let stranger: Person
  let templateId: string
  before(async () => {
    core = await sharedCore()
    tools = formTools(core)
    clinic = await core.organization()
    other = await core.organization()
    ;({ patient, as: patientPerson } = await tools.person(clinic))
    stranger = (await tools.person(clinic)).as
    templateId = await tools.template(clinic, [SMOKER, SCAN, SMALL, SECRET, LETTER])
  })
  after(() => core.close())

  const newForm = async (): Promise<string> => (await tools.form(clinic, patient, templateId)).id
  const path = (form: string, field = 'field_scan') => `/v1/forms/${form}/files/${field}`
  const put = (form: string, as = clinic.admin, body = PDF_BODY, field = 'field_scan') =>
    upload(core.url + path(form, field), as, body)
  const open = (form: string, as: Person, field?: string) =>
    fetch(core.url + path(form, field), { headers: { authorization: `Bearer ${as.token}` }, redirect: 'manual' })
  const remove = (form: string, as = clinic.admin, field?: string) => core.delete(path(form, field), { as })

  const keys = () => Array.fromAsync(core.services.objects.list('form-files/'))
  const rowsOf = (form: string) => core.database.query('select object_key from form_files where form_id = $1', [form])
  const doomed = async () =>
    (await core.database.query<{ object_key: string }>('select object_key from unclaimed_objects order by 1')).map(
      ({ object_key }) => object_key,
    )

  function refused(answer: { status: number; body: Json }, status: number, code: string, what = ''): void {
    assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], what)
  }

  /** Afterwards store and database hold what they held before. */
  async function leavingNothing(work: () => Promise<unknown>): Promise<void> {
    const state = async () => [await keys(), await doomed(), await core.database.query('select * from form_files')]
    const kept = await state()
    await work()
    assert.deepEqual(await state(), kept)
  }

  test('an uploaded file appears in the form and is downloaded by a signed URL', async () => {
    const form = await newForm()
    const content = pdf()
    const start = Math.floor(Date.now() / 1000)
    const { status, body } = await put(form, clinic.admin, bodyOf(partOf(content, 'application/pdf', '../Bilet.PDF')))
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(Object.keys(body).sort(), ['field_key', 'file', 'signed_url'])
    const { s3_key, uploaded_at, ...facts } = body.file
    assert.deepEqual(
      [body.field_key, facts],
      ['field_scan', { name: 'Bilet.PDF', size: content.length, mime: 'application/pdf' }],
    )
    assert.match(s3_key, new RegExp(`^form-files/${clinic.id}/[0-9a-f-]{36}\\.pdf$`))
    assert.ok(Date.parse(uploaded_at) >= start * 1000 && Date.parse(uploaded_at) <= Date.now(), uploaded_at)
    assert.deepEqual((await tools.read(form, clinic.admin)).body.data.files, { field_scan: body.file })

    const redirect = await open(form, clinic.admin)
    assert.equal(redirect.status, 302)
    assert.equal(redirect.headers.get('cache-control'), 'no-store')
    const end = Math.floor(Date.now() / 1000)
    for (const address of [body.signed_url, redirect.headers.get('location') ?? '']) {
      const { pathname, search, searchParams } = new URL(address)
      const signedAt = Number(searchParams.get('expires')) - 900
      assert.ok(signedAt >= start && signedAt <= end, `${start} ${signedAt} ${end}`)
      const file = await fetch(core.url + pathname + search)
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), content)
      assert.equal(file.headers.get('content-type'), 'application/pdf')
      assert.equal(file.headers.get('content-disposition'), 'attachment; filename="Bilet.PDF"')
      assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
      assert.match(file.headers.get('content-security-policy') ?? '', /^sandbox/)
    }
    const [row] = await core.database.query<{ sha256: Buffer }>('select sha256 from form_files where form_id = $1', [
      form,
    ])
    assert.deepEqual(row?.sha256, createHash('sha256').update(content).digest())
  })

  test('a new file replaces the first, whose object is deleted; so is that of a deleted file', async () => {
    const form = await newForm()
    const first = (await put(form)).body.file.s3_key
    const second = (await put(form, clinic.admin, bodyOf(partOf(FILES.png, 'image/png', 'x.png')))).body.file
    assert.equal(second.mime, 'image/png')
    assert.deepEqual(await rowsOf(form), [{ object_key: second.s3_key }])
    assert.ok((await doomed()).includes(first) && !(await doomed()).includes(second.s3_key))
    const { status, body } = await remove(form)
    assert.deepEqual([status, body], [200, { field_key: 'field_scan', message: 'The file was deleted.' }])
    assert.deepEqual((await tools.read(form, clinic.admin)).body.data.files, {})
    assert.ok((await doomed()).includes(second.s3_key))
    refused(await core.get(path(form), { as: clinic.admin }), 404, 'file_not_found')
    refused(await remove(form), 404, 'file_not_found')
    const waiting = await core.database.query(
      `select 1 from graphile_worker.jobs where task_identifier = 'delete_unclaimed_objects'`,
    )
    assert.ok(waiting.length >= 2, 'the worker is notified')
  })

  test('deleting a form deletes its objects', async () => {
    const form = await newForm()
    const { s3_key } = (await put(form)).body.file
    assert.equal((await tools.remove(form, clinic.admin)).status, 200)
    assert.ok((await doomed()).includes(s3_key))
  })

  test('an unknown field and a field that accepts no file have different refusals', async () => {
    const form = await newForm()
    await leavingNothing(async () => {
      for (const [field, code] of [
        ['field_nothing', 'field_not_found'],
        ['scan', 'field_not_found'],
        ['field_Scan', 'field_not_found'],
        [encodeURIComponent('field_\0'), 'field_not_found'],
        ['__proto__', 'field_not_found'],
        ['field_smoker', 'field_not_file_type'],
      ] as const) {
        refused(await put(form, clinic.admin, PDF_BODY, field), 400, code, field)
        refused(await core.get(path(form, field), { as: clinic.admin }), 400, code, field)
        refused(await remove(form, clinic.admin, field), 400, code, field)
      }
    })
  })

  test('a file over the field’s limit, or over 10 MB where it names none, is refused', async () => {
    const form = await newForm()
    const of = (bytes: number) => bodyOf(partOf(Buffer.concat([FILES.pdf, Buffer.alloc(bytes)]), 'application/pdf'))
    assert.equal((await put(form, clinic.admin, of(100 - FILES.pdf.length), 'field_small')).status, 201)
    await leavingNothing(async () => {
      const answer = await put(form, clinic.admin, of(101 - FILES.pdf.length), 'field_small')
      refused(answer, 400, 'file_too_large')
      assert.equal(answer.body.error.max_file_size, 100)
    })
    const max = 10 * 1024 * 1024
    assert.equal((await put(form, clinic.admin, of(max - FILES.pdf.length))).status, 201)
    await remove(form)
    await leavingNothing(async () => {
      refused(await put(form, clinic.admin, of(max + 1 - FILES.pdf.length)), 400, 'file_too_large')
    })
  })

  test('a file of a type that the field does not accept, or that does not match its media type, is refused', async () => {
    const form = await newForm()
    await leavingNothing(async () => {
      for (const [content, type] of [
        [FILES.jpeg, 'image/jpeg'],
        [FILES.exe, 'application/pdf'],
        [FILES.text, 'text/plain'],
        [Buffer.from('<svg/>'), 'image/svg+xml'],
      ] as const) {
        const answer = await put(form, clinic.admin, bodyOf(partOf(content, type)))
        refused(answer, 400, 'invalid_file_type', type)
        assert.deepEqual(answer.body.error.allowed_file_types, SCAN.allowed_file_types)
      }
    })
    for (const [content, type] of [
      [FILES.text, 'text/plain'],
      [FILES.docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ] as const) {
      assert.equal((await put(form, clinic.admin, bodyOf(partOf(content, type)), 'field_secret')).status, 201, type)
    }
    refused(
      await put(form, clinic.admin, bodyOf(partOf(FILES.exe, 'application/x-msdownload')), 'field_secret'),
      400,
      'invalid_file_type',
    )
  })

  test('anything but one file in multipart/form-data is refused', async () => {
    const form = await newForm()
    const one = partOf(FILES.pdf, 'application/pdf')
    await leavingNothing(async () => {
      for (const body of [
        bodyOf(),
        bodyOf(one, one),
        bodyOf({ name: null, content: 'x' }, one),
        PDF_BODY.subarray(0, -9),
      ])
        refused(await put(form, clinic.admin, body), 400, 'validation_error')
    })
    refused(await core.post(path(form), { as: clinic.admin, body: {} }), 415, 'unsupported_media_type')
    refused(await core.post(path(form), { as: clinic.admin }), 415, 'unsupported_media_type')
  })

  test('a patient has access to the files of their own forms, but not of private fields', async () => {
    const form = await newForm()
    assert.equal((await put(form, patientPerson)).status, 201)
    assert.equal((await open(form, patientPerson)).status, 302)
    assert.equal((await put(form, clinic.admin, PDF_BODY, 'field_secret')).status, 201)
    assert.equal((await open(form, clinic.admin, 'field_secret')).status, 302)
    await leavingNothing(async () => {
      for (const answer of [
        await put(form, patientPerson, PDF_BODY, 'field_secret'),
        await core.get(path(form, 'field_secret'), { as: patientPerson }),
        await remove(form, patientPerson, 'field_secret'),
      ])
        refused(answer, 400, 'field_not_found')
    })
    assert.deepEqual(Object.keys((await tools.read(form, patientPerson)).body.data.files), ['field_scan'])
    assert.equal((await remove(form, patientPerson)).status, 200)
  })

  test('a patient can read a file that only the clinic can change', async () => {
    const form = await newForm()
    assert.equal((await put(form, clinic.admin, PDF_BODY, 'field_letter')).status, 201)
    assert.equal((await open(form, patientPerson, 'field_letter')).status, 302)
    await leavingNothing(async () => {
      refused(await put(form, patientPerson, PDF_BODY, 'field_letter'), 400, 'validation_error')
      refused(await remove(form, patientPerson, 'field_letter'), 400, 'validation_error')
    })
  })

  test('forms of others are not found: to another patient, another clinic, under an unknown id', async () => {
    const form = await newForm()
    await put(form)
    await leavingNothing(async () => {
      for (const [id, as] of [
        [form, stranger],
        [form, other.admin],
        [randomUUID(), clinic.admin],
        ['nothing', clinic.admin],
      ] as const) {
        const code = id === 'nothing' ? 'not_found' : 'form_not_found'
        refused(await put(id, as), 404, code)
        refused(await core.get(path(id), { as }), 404, code)
        refused(await remove(id, as), 404, code)
      }
    })
  })

  test('staff need the permissions to view and to fill in (403 names it)', async () => {
    const form = await newForm()
    await put(form)
    const needs = async (
      codes: string[],
      required: string,
      call: (as: Person) => Promise<{ status: number; body: Json }>,
    ) => {
      const { status, body } = await call(await core.memberWith(clinic, codes))
      assert.deepEqual([status, body?.error?.required], [403, required], codes.join())
    }
    await leavingNothing(async () => {
      await needs([], 'forms.view_org', (as) => core.get(path(form), { as }))
      const sightOfDeleted = ['forms.view_org', 'data.view_deleted']
      await needs(sightOfDeleted, 'patients.view_org', (as) => core.get(path(form), { as }))
      await needs(VIEW_PERMISSIONS, 'forms.fill_own', (as) => put(form, as))
      await needs([...VIEW_PERMISSIONS, 'forms.fill_own'], 'forms.fill_org', (as) => put(form, as))
      await needs([...VIEW_PERMISSIONS, 'forms.fill_own'], 'forms.fill_org', (as) => remove(form, as))
    })
    const reader = await core.memberWith(clinic, VIEW_PERMISSIONS)
    assert.equal((await open(form, reader)).status, 302)
    const filler = await core.memberWith(clinic, [...VIEW_PERMISSIONS, 'forms.fill_own', 'forms.fill_org'])
    assert.equal((await put(form, filler)).status, 201)
  })

  test('a required file is an answer: it completes the form', async () => {
    const template = await tools.template(clinic, [SMOKER, { ...SCAN, required: true }])
    const { id } = await tools.form(clinic, patient, template)
    const status = async () => (await tools.read(id, clinic.admin)).body.data.status
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    assert.equal(await status(), 'in_progress')
    await put(id)
    assert.equal(await status(), 'completed')
    assert.ok((await tools.eventsOf(id)).includes('form.submitted'))
  })

  test('a required file of a completed form can be replaced, not deleted (400)', async () => {
    const reason = {
      key: 'reason',
      label: 'Why no small one?',
      type: 'text',
      required: true,
      visible_when: { mode: 'all', conditions: [{ field_key: 'small', op: 'exists', value: false }] },
    }
    const template = await tools.template(clinic, [SMOKER, { ...SCAN, required: true }, SMALL, reason])
    const { id } = await tools.form(clinic, patient, template)
    await put(id)
    assert.equal((await remove(id)).status, 200, 'not completed yet')
    await put(id)
    await put(id, clinic.admin, PDF_BODY, 'field_small')
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    const before = (await tools.read(id, clinic.admin)).body.data
    assert.equal(before.status, 'completed')
    await leavingNothing(async () => {
      const answer = await remove(id, patientPerson)
      refused(answer, 400, 'validation_error')
      assert.deepEqual(answer.body.error.fields, {
        'files.field_scan': 'is required: the form is completed. Upload a file to replace the current one',
      })
      const other = await remove(id, clinic.admin, 'field_small')
      assert.deepEqual(other.body.error.fields, { 'values.field_reason': 'is required: the form is completed' })
    })
    assert.deepEqual((await tools.read(id, clinic.admin)).body.data, before)
    assert.equal((await put(id, clinic.admin, bodyOf(partOf(FILES.png, 'image/png', 'x.png')))).status, 201)
    assert.equal((await tools.read(id, clinic.admin)).body.data.status, 'completed')
    await tools.ok(tools.sign(id, clinic.admin), 200)
  })

  test('a new file that makes a required field visible reopens a completed form until it is answered', async () => {
    const date = {
      key: 'date',
      label: 'Date of the referral',
      type: 'date',
      required: true,
      visible_when: { mode: 'all', conditions: [{ field_key: 'scan', op: 'exists' }] },
    }
    const { id } = await tools.form(clinic, patient, await tools.template(clinic, [SMOKER, SCAN, date]))
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    assert.equal((await put(id)).status, 201)
    const opened = (await tools.read(id, clinic.admin)).body.data
    assert.deepEqual([opened.status, opened.completed_at], ['in_progress', null])
    refused(await tools.sign(id, clinic.admin), 400, 'form_not_completed')
    const { body } = await core.get(`/v1/audit-logs?action=forms.update&target_id=${id}&limit=1`, { as: clinic.admin })
    assert.deepEqual(body.data[0].changes, [{ field: 'status', before: 'completed', after: 'in_progress' }])
    assert.equal((await tools.save(id, clinic.admin, { field_date: '2026-01-31' })).body.status, 'completed')
  })

  async function completed(): Promise<string> {
    const form = await newForm()
    await tools.ok(tools.save(form, clinic.admin, { field_smoker: 'No' }), 200)
    return form
  }

  test('files of a signed form cannot be changed (409) and can still be downloaded', async () => {
    const form = await completed()
    await put(form)
    assert.equal((await tools.sign(form, clinic.admin)).status, 200)
    await leavingNothing(async () => {
      refused(await put(form), 409, 'form_already_signed')
      refused(await put(form, patientPerson, PDF_BODY, 'field_small'), 409, 'form_already_signed')
      refused(await remove(form), 409, 'form_already_signed')
    })
    assert.equal((await open(form, patientPerson)).status, 302)
    assert.equal((await tools.verify(form, clinic.admin)).valid, true)
    await assert.rejects(core.database.query('delete from form_files where form_id = $1', [form]), /signed/)
    await assert.rejects(core.database.query(`update form_files set name = 'x' where form_id = $1`, [form]), /signed/)
  })

  test('an upload concurrent with a signature is part of what is signed, or refused without a trace', async () => {
    for (let round = 0; round < soakRuns(3, 3); round++) {
      const form = await completed()
      if (round % 2 === 1) await put(form)
      const before = await keys()
      const { sending, answer } = openUpload(core.url + path(form), clinic.admin)
      sending.write(PDF_BODY.subarray(0, 130))
      const rest = () => sending.end(PDF_BODY.subarray(130))
      if (round % 3 > 0) rest()
      await setTimeout(25 * (round % 3))
      const signing = tools.sign(form, clinic.admin)
      if (round % 3 === 0) rest()
      const [uploaded, signed] = await Promise.all([answer, signing])
      assert.equal(signed.status, 200)
      assert.equal((await tools.verify(form, clinic.admin)).valid, true)
      if (uploaded.status === 201) {
        assert.deepEqual(await rowsOf(form), [{ object_key: uploaded.body.file.s3_key }])
      } else {
        refused(uploaded, 409, 'form_already_signed')
        assert.deepEqual(await keys(), before)
      }
    }
  })

  test('of signatures, uploads, deletions of files and saves at once, what is signed stays: one signature', async () => {
    for (let round = 0; round < soakRuns(2); round++) {
      const form = await completed()
      await put(form)
      const all = () =>
        Promise.all([
          put(form),
          remove(form),
          tools.save(form, clinic.admin, { field_smoker: 'Yes' }),
          put(form, patientPerson, PDF_BODY, 'field_small'),
          tools.sign(form, clinic.admin),
          tools.sign(form, clinic.admin),
        ])
      const signatures = (await all()).slice(4).map(({ status }) => status)
      assert.deepEqual(
        signatures.sort((a, b) => a - b),
        [200, 409],
      )
      const sealed = (await tools.read(form, clinic.admin)).body.data
      await leavingNothing(async () => {
        for (const answer of await all()) refused(answer, 409, 'form_already_signed')
      })
      assert.deepEqual((await tools.read(form, clinic.admin)).body.data, sealed)
      assert.equal((await tools.verify(form, clinic.admin)).valid, true)
      assert.equal((await tools.auditOf(form)).filter((action) => action === 'forms.sign').length, 1)
      assert.equal((await tools.eventsOf(form)).filter((type) => type === 'form.signed').length, 1)
    }
  })

  test('parallel uploads into one field leave one row and one object', async () => {
    const form = await newForm()
    const [before, gone] = [await keys(), new Set(await doomed())]
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => put(form, clinic.admin, bodyOf(partOf(pdf(), 'application/pdf')))),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(6).fill(201),
    )
    const rows = await rowsOf(form)
    assert.equal(rows.length, 1)
    const doomedNow = new Set((await doomed()).filter((key) => !gone.has(key)))
    const staying = (await keys()).filter((key) => !before.includes(key) && !doomedNow.has(key))
    assert.deepEqual(
      staying,
      rows.map(({ object_key }) => object_key),
    )
    assert.equal(doomedNow.size, 5)
  })

  test('while processing is restricted no file can be uploaded or deleted (409)', async () => {
    const { patient: restricted } = await tools.person(clinic)
    const { id } = await tools.form(clinic, restricted, templateId)
    await put(id)
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.id])
    await leavingNothing(async () => {
      refused(await put(id), 409, 'processing_restricted')
      refused(await put(id, clinic.admin, PDF_BODY, 'field_small'), 409, 'processing_restricted')
      refused(await remove(id), 409, 'processing_restricted')
    })
    assert.equal((await open(id, clinic.admin)).status, 302)
  })

  test('every change of a file writes an audit entry, with the patient, and an event', async () => {
    const form = await newForm()
    await put(form)
    await put(form)
    await open(form, clinic.admin)
    await open(form, patientPerson)
    await remove(form)
    const rows = await core.database.query<{ action: string; crud: string; patient_profile_id: string }>(
      `select action, crud, patient_profile_id from audit_log where target_id = $1 and action like 'form_files.%' order by occurred_at, id`,
      [form],
    )
    assert.deepEqual(
      rows.map(({ action, crud }) => `${action} ${crud}`),
      ['form_files.upload C', 'form_files.upload U', 'form_files.read R', 'form_files.delete D'],
    )
    assert.ok(rows.every(({ patient_profile_id }) => patient_profile_id === patient.profile_id))
    const events = (await tools.eventsOf(form)).filter((type) => type.startsWith('form.file'))
    assert.deepEqual(events, ['form.file_uploaded', 'form.file_uploaded', 'form.file_deleted'])
    const log = await core.get('/v1/me/access-log', { as: patientPerson })
    assert.match(log.text, /A file in a form about you was opened\./)
  })
})
