import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createPdfRenderer } from '@tendon/pdf'
import { onServer, until } from '@tendon/testing'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { nextMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { codeOf, documentTools } from '../documents.testing.ts'

describe('a document whose patient or content changes while it is rendered', () => {
  const pdf = createPdfRenderer({ processes: 1, timeoutMs: 60_000 })
  let core: CoreAndWorker
  let clinic: SchedulingClinic
  let stop: () => Promise<void>
  let meanwhile = async () => {}
  /** What a test did in `meanwhile` and failed; to the API it is an error of the renderer, a 500. */
  let failure: unknown
  before(async () => {
    core = await startCoreAndWorker(undefined, {
      pdf: {
        ...pdf,
        render: async (...document: Parameters<typeof pdf.render>) => {
          try {
            await meanwhile()
          } catch (error) {
            failure = error
            throw error
          }
          return pdf.render(...document)
        },
      },
    })
    clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await pdf.close()
    await core.close()
  })

  const files = () => Array.fromAsync(core.services.objects.list(`documents/${clinic.id}/`))
  async function letterOf(patientId: string, hour: number) {
    const { id } = await documentTools(core).ok(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday(hour).toISOString(),
          patient_id: patientId,
        },
      }),
    )
    return () => core.post(`/v1/appointments/${id}/documents`, { as: clinic.admin })
  }
  async function refusedWith(print: () => ReturnType<typeof core.post>, code: [number, string]) {
    const answer = await print()
    if (failure !== undefined) throw failure
    assert.deepEqual(codeOf(answer), code)
    meanwhile = async () => {}
    assert.deepEqual(await files(), [])
    const listed = await core.get('/v1/appointment-documents', { as: clinic.admin })
    assert.equal(listed.body.pagination.total, 0)
  }

  test('an erased patient: 404, and no file is left', async () => {
    const { patient } = await formTools(core).person(clinic)
    const print = await letterOf(patient.id, 9)
    meanwhile = async () => {
      const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
      assert.equal(request.status, 'completed')
    }
    await refusedWith(print, [404, 'patient_not_found'])
  })

  test('a deleted patient: 404, and no file is left', async () => {
    const { patient } = await formTools(core).person(clinic)
    const print = await letterOf(patient.id, 10)
    meanwhile = async () => {
      const deleted = await core.delete(`/v1/patients/${patient.id}?cancel_visits=true`, { as: clinic.admin })
      assert.equal(deleted.status, 204, deleted.text)
    }
    await refusedWith(print, [404, 'patient_not_found'])
  })

  test('a patient who is erased at the same time: each document is stored before it or refused (404); none is left', async () => {
    for (const hours of [[11, 12, 13], [14]]) {
      const { patient } = await formTools(core).person(clinic)
      const prints = await Promise.all(hours.map((hour) => letterOf(patient.id, hour)))
      let asked: Promise<string> | undefined
      meanwhile = async () => {
        asked ??= core.ask('erase', clinic, patient.id)
      }
      const answers = await Promise.all(prints.flatMap((print) => [print(), print()]))
      meanwhile = async () => {}
      for (const { status, text } of answers) assert.ok(status === 201 || status === 404, text)
      assert.equal((await core.ended(clinic, (await asked) ?? '')).status, 'completed')
      await until(async () => (await files()).length === 0)
      const { body } = await core.get('/v1/appointment-documents', { as: clinic.admin })
      assert.equal(body.pagination.total, 0)
    }
  })

  test('a changed answer: 409, and the next request prints the new one', async () => {
    const forms = formTools(core)
    const { patient } = await forms.person(clinic)
    const { id } = await forms.form(clinic, patient, await forms.template(clinic, [SMOKER]))
    await forms.save(id, clinic.admin, { field_smoker: 'No' })
    meanwhile = async () => {
      assert.equal((await forms.save(id, clinic.admin, { field_smoker: 'Yes' })).status, 200)
    }
    const print = () => core.post(`/v1/forms/${id}/render`, { as: clinic.admin })
    await refusedWith(print, [409, 'content_changed'])
    const document = await documentTools(core).ok(print())
    assert.match(await documentTools(core).printed(document.id, clinic.admin), /Yes/)
  })

  test('a visit whose status is undone while its certificate is stored stays completed (409)', async () => {
    const { patient } = await formTools(core).person(clinic)
    const { ok } = documentTools(core)
    const starts_at = new Date(Date.now() - 26 * 3_600_000).toISOString()
    const { id } = await ok(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: { service_id: clinic.service.id, specialist_id: clinic.specialist.id, starts_at, patient_id: patient.id },
      }),
    )
    const set = (status: string) => core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })
    assert.equal((await set('completed')).status, 200)
    await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      await holder.query('lock table appointment_documents in share mode')
      const printed = core.post(`/v1/appointments/${id}/documents`, {
        as: clinic.admin,
        body: { kind: 'attendance_certificate' },
      })
      await until(async () => (await core.database.countWaiting()) > 0)
      let isAnswered = false
      const undone = set('confirmed').finally(() => {
        isAnswered = true
      })
      await until(async () => isAnswered || (await core.database.countWaiting()) > 1)
      await holder.query('commit')
      assert.deepEqual([(await printed).status, codeOf(await undone)], [201, [409, 'has_documents']])
    })
  })

  test('a file whose time has passed before its document was stored: 503, and the next request prints it', async () => {
    const { patient } = await formTools(core).person(clinic)
    const print = await letterOf(patient.id, 15)
    const before = await files()
    await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
      await holder.query('begin')
      await holder.query('select 1 from patients where id = $1 for update', [patient.id])
      const answer = print()
      const expired = `update unclaimed_objects set delete_after = now() - interval '1 minute' where object_key like $1 returning 1`
      await until(async () => (await core.database.query(expired, [`documents/${clinic.id}/%`])).length > 0)
      await holder.query('rollback')
      const { status, body, headers } = await answer
      assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'unavailable', '5'])
    })
    assert.deepEqual(await files(), before)
    await documentTools(core).ok(print())
  })
})
