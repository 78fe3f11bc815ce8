import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { dataClasses } from '../../../data-classes.ts'
import type { DataClass } from '../../../platform/data-class.ts'
import type { Answer } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { formTools, type Patient, SMOKER } from './forms.testing.ts'

describe('an erasure concurrent with', () => {
  let core: CoreAndWorker
  let tools: ReturnType<typeof formTools>
  let clinic: TestOrganization
  let stop: () => Promise<void>
  /** What happens once the erasure holds its locks, before it deletes anything. */
  let meanwhile: () => Promise<void>
  const pause: DataClass = {
    name: 'pause',
    table: 'patients',
    label: { en: 'Pause', ro: 'Pauză' },
    patientColumn: null,
    export: { leftOut: { en: 'Nothing', ro: 'Nimic' } },
    erase: { strategy: 'delete', run: () => meanwhile().then(() => 0) },
  }
  before(async () => {
    core = await startCoreAndWorker([...dataClasses, pause])
    tools = formTools(core)
    clinic = await core.organization()
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const isWaiting = async () => (await core.database.countWaiting()) > 0

  /** What a request answers that comes in the middle of the patient's erasure. */
  async function duringErasure(of: Patient, send: () => Promise<Answer>): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>()
    meanwhile = async () => {
      send().then(answer.resolve, answer.reject)
      await until(isWaiting)
    }
    const request = await core.ended(clinic, await core.ask('erase', clinic, of.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    return answer.promise
  }

  test('the signature of a consent form', async () => {
    const patient = await core.patient(clinic)
    const details = { type: 'consent', consent_purposes: ['telerehab'] }
    const { id } = await tools.form(clinic, patient, await tools.template(clinic, [SMOKER], details))
    await tools.ok(tools.save(id, clinic.admin, { field_smoker: 'No' }), 200)
    const { status, body } = await duringErasure(patient, () => tools.sign(id, clinic.admin))
    assert.deepEqual([status, body.error.code], [404, 'form_not_found'])
  })

  test('a save that goes on to the profile', async () => {
    const patient = await core.patient(clinic)
    const blood = await tools.customField(clinic)
    const { id } = await tools.form(clinic, patient, await tools.template(clinic, [tools.linked(blood)]))
    const { status, body } = await duringErasure(patient, () =>
      tools.save(id, clinic.admin, { [`field_${blood.id}`]: 'A' }),
    )
    assert.deepEqual([status, body.error.code], [404, 'form_not_found'])
  })

  test('a change of the profile by the patient', async () => {
    const { patient, as } = await tools.person(clinic)
    const change = (body: object) => core.put(`/v1/patients/${patient.id}/profile`, { as, body })
    await tools.ok(change({ occupation: 'Teacher', allergies: 'Pollen' }), 200)
    const { status, body } = await duringErasure(patient, () =>
      change({ occupation: 'Nurse', allergies: null, referring_doctor: 'Dr. Pop' }),
    )
    assert.deepEqual([status, body.name], [404, 'NotFoundError'])
    assert.deepEqual(
      await core.database.query('select 1 from custom_field_values where entity_id = $1', [patient.id]),
      [],
    )
  })
})
