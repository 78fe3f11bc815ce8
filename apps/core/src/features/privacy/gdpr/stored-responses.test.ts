import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import type { Person } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

describe('answers kept for repeated requests', () => {
  let core: CoreAndWorker
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  /** Sends it with a key of its own, and gives that key. */
  async function send(path: string, as: Person, body: object, at?: TestOrganization): Promise<string> {
    const key = randomUUID()
    const headers = { 'idempotency-key': key, ...(at ? { 'x-organization-id': at.id } : {}) }
    const answer = await core.post(path, { as, body, headers })
    assert.equal(answer.status, 201, answer.text)
    return key
  }
  const kept = async (keys: Record<string, string>) => {
    const rows = await core.database.query<{ key: string }>(
      'select key from idempotency_keys where key = any($1) and response is not null',
      [Object.values(keys)],
    )
    const found = new Set(rows.map(({ key }) => key))
    return Object.keys(keys).filter((name) => found.has(keys[name] ?? ''))
  }

  /** A patient of two clinics, about whom each that can be asked has just been asked something. */
  async function scene() {
    const clinic = await core.organization()
    const elsewhere = await core.organization()
    for (const each of [clinic, elsewhere]) await core.publishNotice(each)
    const runs = runsOf(core)
    const patient = await runs.patient(clinic)
    await core.acceptAll(await core.patient(elsewhere, patient.person))
    const run = await runs.started(patient)
    const grants = [
      { organization_id: clinic.id, purpose_code: 'analytics', purpose_version: 1, source: 'self_toggle' },
    ]
    const reason = 'Support ticket 4711: the record does not open'
    const own = {
      pain: await send(`/v1/session-runs/${run}/pain`, patient.person, {
        severity: 4,
        action: 'continue',
        note: 'Ana',
      }),
      fromElsewhere: await send('/v1/me/consents', patient.person, { grants }, elsewhere),
    }
    const staff = {
      clinic: await send(`/v1/patients/${patient.id}/impersonate`, clinic.admin, { reason }),
      operator: await send('/v1/admin/break-glass', await core.superadmin(), {
        organization_id: clinic.id,
        patient_id: patient.id,
        reason,
      }),
    }
    const another = await core.patient(clinic)
    const others = {
      operator: await send('/v1/admin/break-glass', await core.superadmin(), {
        organization_id: clinic.id,
        patient_id: another.id,
        reason,
      }),
      clinic: await send('/v1/patients', elsewhere.admin, { first_name: 'Ion', last_name: 'Stan' }),
    }
    assert.deepEqual(
      [await kept(own), await kept(staff), await kept(others)],
      [Object.keys(own), Object.keys(staff), Object.keys(others)],
    )
    return { clinic, patient, own, staff, others }
  }

  test('answers kept for repeated requests are deleted with an erased patient: their own at every clinic, and those of staff and operators about them', async () => {
    const { clinic, patient, own, staff, others } = await scene()
    const { status, certificate } = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(status, 'completed')
    assert.deepEqual([await kept(own), await kept(staff)], [[], []])
    assert.deepEqual(await kept(others), Object.keys(others), 'of nobody else')
    const told = certificate.classes.find(({ name }: { name: string }) => name === 'idempotency_keys')
    assert.equal(told.rows, 4)
  })

  test('answers kept for repeated requests are deleted with an erased account, the person’s own immediately', async () => {
    const { patient, own, staff, others } = await scene()
    const answer = await core.post('/v1/me/erase', { as: patient.person, body: { confirm: 'ERASE' } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await kept(own), [])
    await until(async () => (await kept(staff)).length === 0)
    assert.deepEqual(await kept(others), Object.keys(others))
  })
})
