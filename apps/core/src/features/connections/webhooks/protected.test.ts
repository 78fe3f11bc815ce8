import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { buildWorker, type Worker } from '../../../build-worker.ts'
import { startCoreAndRounds, startReceiver } from './webhooks.testing.ts'

const ALWAYS = ['consent.withdrawn', 'patient.deleted', 'patient.erased', 'patient.restricted']

interface Body {
  event: string
  data: Record<string, unknown>
}

describe('webhooks about a patient who is restricted, deleted or erased', () => {
  let core: Awaited<ReturnType<typeof startCoreAndRounds>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let worker: Worker
  before(async () => {
    core = await startCoreAndRounds()
    receiver = await startReceiver()
    worker = await buildWorker({ ...core.worker, now: () => new Date() }, core.database.url, {
      logStream: { write: () => {} },
    })
  })
  after(async () => {
    await worker.stop()
    await core.close()
    await receiver.close()
  })

  const bodies = (): Body[] => receiver.received.map(({ body }) => JSON.parse(body.toString()))
  const received = (event: string) => until(() => bodies().find((body) => body.event === event))

  test('only events that receivers must act on are sent, and they contain only ids and the purpose of a consent', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const hook = await core.subscribe(clinic, `${receiver.url}/hook`)
    async function addPatient() {
      const body = { first_name: 'Canary', last_name: 'Canary', email: `${randomUUID()}@canary.example` }
      const added = await core.post('/v1/patients', { as: clinic.admin, body })
      assert.equal(added.status, 201, added.text)
      return added.body.data as { id: string; patient_profile_id: string }
    }
    const [patient, other] = [await addPatient(), await addPatient()]
    const of = { patient_id: patient.id, patient_profile_id: patient.patient_profile_id }
    await core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values ($1, $2, 'marketing_email', 1, 'self_toggle')`,
      [clinic.id, patient.patient_profile_id],
    )
    const reason = 'The patient asked for it'
    const restricted = await core.post('/v1/gdpr/restrict', {
      as: clinic.admin,
      body: { patient_id: patient.id, restricted: true, reason },
    })
    assert.equal(restricted.status, 200, restricted.text)
    await received('patient.restricted')
    await core.database.query(
      `update consents set withdrawn_at = now(), ended_as = 'withdrawn' where patient_profile_id = $1`,
      [patient.patient_profile_id],
    )
    await received('consent.withdrawn')
    await core.publish(clinic, 'form.signed', { form_id: randomUUID(), ...of })
    const erase = { patient_id: patient.id, reason, confirm: 'ERASE' }
    assert.equal((await core.post('/v1/gdpr/erase', { as: clinic.admin, body: erase })).status, 202)
    await received('patient.erased')
    await core.publish(clinic, 'appointment.cancelled', { appointment_id: randomUUID(), ...of })
    assert.equal((await core.delete(`/v1/patients/${other.id}`, { as: clinic.admin })).status, 204)
    await received('patient.deleted')
    const discarded = await until(async () => {
      const rows = await core.deliveriesOf(clinic, hook.uid, 'status=discarded')
      const reasons = rows.map((row: { event: string; discard_reason: string }) => `${row.event} ${row.discard_reason}`)
      return reasons.some((one: string) => one.startsWith('appointment.cancelled')) ? reasons : undefined
    })
    assert.ok(discarded.includes('form.signed patient_restricted') || discarded.includes('form.signed patient_erased'))
    assert.ok(discarded.includes('appointment.cancelled patient_erased'))
    const isAbout = (data: Body['data']) =>
      data.patient_id === patient.id || data.patient_profile_id === patient.patient_profile_id
    const after = bodies().slice(bodies().findIndex(({ event }) => event === 'patient.restricted'))
    assert.deepEqual(
      [...new Set(after.filter(({ data }) => isAbout(data)).map(({ event }) => event))].sort(),
      ALWAYS.filter((event) => event !== 'patient.deleted'),
    )
    for (const { event, data } of bodies().filter(({ event }) => ALWAYS.includes(event)))
      for (const [name, value] of Object.entries(data))
        if (name === 'purpose_code') assert.equal(value, 'marketing_email', event)
        else assert.match(String(value), /^[0-9a-f-]{36}$/, event)
    assert.ok(!/canary/i.test(JSON.stringify(bodies())))
  })
})
