import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createPdfRenderer } from '@tendon/pdf'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { nextMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { codeOf, documentTools } from '../documents.testing.ts'

describe('a document whose patient or content changes while it is rendered', () => {
  const pdf = createPdfRenderer({ processes: 1, timeoutMs: 30_000 })
  let core: CoreAndWorker
  let clinic: SchedulingClinic
  let stop: () => Promise<void>
  let meanwhile = async () => {}
  before(async () => {
    core = await startCoreAndWorker(undefined, {
      pdf: {
        ...pdf,
        render: async (...document: Parameters<typeof pdf.render>) => {
          await meanwhile()
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
    assert.deepEqual(codeOf(await print()), code)
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
      assert.equal((await core.delete(`/v1/patients/${patient.id}`, { as: clinic.admin })).status, 204)
    }
    await refusedWith(print, [404, 'patient_not_found'])
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
})
