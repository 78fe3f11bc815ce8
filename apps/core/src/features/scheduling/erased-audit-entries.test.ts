import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import { verifyAuditLog } from '../privacy/audit-logs/verify.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../privacy/gdpr/work.testing.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

describe('appointments of an erased patient in the audit log', () => {
  let core: CoreAndWorker
  let clinic: SchedulingClinic
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  async function erase(patientId: string) {
    const request = await core.ended(clinic, await core.ask('erase', clinic, patientId))
    assert.equal(request.status, 'completed', JSON.stringify(request))
  }
  const logOf = async (id: string) =>
    (await core.get(`/v1/audit-logs?target_id=${id}&limit=100`, { as: clinic.admin })).text

  test('appointments of an erased patient in the audit log show no note, title, reason or name, and the log still verifies', async () => {
    const person = await core.signIn({ name: 'Zefirina Văzduhescu' })
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    const { id, version } = await created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          patient_id: record.id,
          starts_at: nextMonday(9).toISOString(),
          title: 'Canary title',
          notes: 'Canary notes',
          patient_note: 'Canary wish',
        },
      }),
    )
    const path = `/v1/appointments/${id}`
    const noted = await core.patch(path, { as: clinic.admin, body: { notes: 'More canary notes', version } })
    assert.equal(noted.status, 200, noted.text)
    const named = await logOf(id)
    assert.match(named, /"field":"notes","before":null,"after":null/)
    assert.doesNotMatch(named, /canary/i)
    const headers = { 'x-organization-id': clinic.id }
    const cancelled = await core.post(`/v1/me/appointments/${id}/cancel`, {
      as: person,
      headers,
      body: { reason: 'Canary reason' },
    })
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.equal((await core.post('/v1/me/calendar-feed', { as: person, headers })).status, 201)
    // An entry of an older release, not encrypted with the patient's key.
    await core.services.db.tenant(systemContext(clinic.id), (tx) =>
      new AuditLog(core.services.box).write(
        tx,
        { ...SYSTEM, organizationId: clinic.id },
        {
          action: 'appointments.update',
          crud: 'U',
          target: { type: 'appointment', id },
          changes: [{ field: 'notes', before: null, after: 'Old canary' }],
        },
      ),
    )
    assert.match(await logOf(id), /Old canary/)
    await erase(record.id)
    const whole = await core.get('/v1/audit-logs?limit=500', { as: clinic.admin })
    assert.doesNotMatch(whole.text, /canary|Zefirina/i)
    const exported = await core.get('/v1/audit-logs/export', { as: clinic.admin })
    assert.doesNotMatch(exported.text, /canary|Zefirina/i)
    await core.seal()
    const verdict = await verifyAuditLog(core.services.db, () => {})
    assert.ok(verdict.ok, JSON.stringify(verdict))
  })
})
