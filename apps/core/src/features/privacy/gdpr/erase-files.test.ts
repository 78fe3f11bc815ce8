import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { until } from '@tendon/testing'
import { addJob } from '../../../platform/jobs.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { isGenuine } from './rules.ts'
import { type CoreAndWorker, startCoreAndWorker } from './work.testing.ts'

describe('files of an erased patient', () => {
  let core: CoreAndWorker
  let clinic: TestOrganization
  let stop: () => Promise<void>
  let refused: 'delete' | 'list' | undefined
  before(async () => {
    core = await startCoreAndWorker()
    clinic = await core.organization()
    const { objects } = core.services
    stop = await core.startWorker({
      objects: {
        ...objects,
        delete: async (key) => {
          if (refused === 'delete') throw new RangeError('the store refuses')
          await objects.delete(key)
        },
        list: (prefix) => {
          if (refused === 'list') throw new RangeError('the store refuses')
          return objects.list(prefix)
        },
      },
    })
  })
  after(async () => {
    await stop()
    await core.close()
  })

  const JOB = `from graphile_worker.jobs where task_identifier = 'gdpr.finish_erasure' and locked_at is null`
  const attempts = async () => (await core.database.query<{ attempts: number }>(`select attempts ${JOB}`))[0]?.attempts
  /** The next attempt begins now, after as many failed ones. */
  const tryAgainAfter = (count: number) =>
    core.database.query(
      `select graphile_worker.reschedule_jobs(array(select id ${JOB}), run_at => now(), attempts => $1)`,
      [count],
    )
  const exported = async (patientId: string) => {
    const request = await core.ended(clinic, await core.ask('export', clinic, patientId))
    assert.equal(request.status, 'completed')
    return async () => (await core.keys()).filter((key) => key.includes(patientId))
  }

  test('an erasure whose files cannot be deleted for days keeps trying, and ends when they are gone', async () => {
    const patient = await core.patient(clinic)
    const left = await exported(patient.id)
    refused = 'delete'
    const id = await core.ask('erase', clinic, patient.id)
    await until(async () => (await attempts()) === 1)
    await tryAgainAfter(24)
    await until(async () => (await attempts()) === 25)
    const request = await core.read(clinic, id)
    assert.deepEqual([request.status, request.error, request.certificate], ['active', 'RangeError', null])
    assert.equal((await left()).length, 1)
    refused = undefined
    await tryAgainAfter(25)
    const done = await core.ended(clinic, id)
    assert.deepEqual([done.status, done.error], ['completed', null])
    assert.ok(isGenuine(done.certificate))
    assert.deepEqual(await left(), [])
  })

  test('an erasure deletes the files of exports, also while it cannot be completed', async () => {
    const patient = await core.patient(clinic)
    const left = await exported(patient.id)
    refused = 'list'
    const id = await core.ask('erase', clinic, patient.id)
    await until(async () => (await left()).length === 0)
    assert.equal((await core.read(clinic, id)).status, 'active')
    await until(async () => (await attempts()) === 1)
    refused = undefined
    await tryAgainAfter(1)
    assert.equal((await core.ended(clinic, id)).status, 'completed')
  })

  test('an erasure that waits for its files does not count as abandoned', async () => {
    const patient = await core.patient(clinic)
    const [erasing, exporting] = await core.database.query<{ id: string }>(
      `insert into privacy_requests (organization_id, kind, patient_id, patient_profile_id, status, result, updated_at)
       select $1, kind, $2, $3, 'active', result, now() - interval '5 days'
       from (values ('erase', '{}'::jsonb), ('export', null)) as old (kind, result) returning id`,
      [clinic.id, patient.id, patient.profile_id],
    )
    await core.services.db.tenant(systemContext(null), (tx) => addJob(tx, 'gdpr.tidy', {}))
    assert.equal((await core.ended(clinic, exporting?.id ?? '')).error, 'Stalled')
    assert.equal((await core.read(clinic, erasing?.id ?? '')).status, 'active')
  })
})
