import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, processEnv, TEST_ROLE_SECRET, until } from '@tendon/testing'
import pg from 'pg'
import { createOrphanSweep } from '../../../platform/orphaned-jobs.ts'
import { formTools } from '../../records/forms/forms.testing.ts'
import { NOTICE, startAutomations } from './automations.testing.ts'

const WORKER = join(import.meta.dirname, '../../../worker.ts')

describe('a worker that is killed during an execution', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  /** Resolves when the worker is ready. Has no timeout, because a busy machine may start it slowly. */
  async function startProcess() {
    const port = await freePort()
    const child = spawn(process.execPath, [WORKER], {
      env: {
        ...processEnv(),
        DATABASE_URL: core.database.url,
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        WORKER_METRICS_PORT: String(port),
        OUTBOUND_ALLOW_PRIVATE: 'true',
      },
      stdio: 'ignore',
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    const isReady = () => fetch(`http://127.0.0.1:${port}/metrics`).then(Boolean, () => false)
    while (child.exitCode === null && !(await isReady())) await sleep(50)
    assert.equal(child.exitCode, null)
    return { child, exited }
  }

  test('in the middle of a step: the next worker continues there, and no step takes effect twice', async () => {
    const clinic = await core.organization()
    const patient = await core.patientOf(clinic)
    const template = await formTools(core).template(clinic, [{ key: 'a', label: 'A', type: 'text' }])
    await core.created(clinic, [NOTICE, { type: 'create_form', params: { form_template_id: template } }, NOTICE])
    // The lock blocks the insert of the form, so the worker is inside the second step.
    const holder = new pg.Client({ connectionString: core.database.url })
    await holder.connect()
    await holder.query('begin; lock table forms in share mode')
    await core.pain(clinic, 'severe', { patient_id: patient.id, patient_profile_id: patient.patient_profile_id })
    await core.dispatch()
    const first = await startProcess()
    const stepsOf = async () => (await core.runsOf(clinic))[0]?.steps.map(({ status }) => status)
    const isWaiting = `select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'insert into "forms"%' and datname = current_database()`
    await until(async () => (await stepsOf())?.length === 1 && (await core.database.query(isWaiting)).length > 0)
    assert.deepEqual(await stepsOf(), ['succeeded'])
    first.child.kill('SIGKILL')
    await first.exited
    await holder.end()
    // A running worker does this every minute: it frees the jobs of workers that were missing at two sweeps in a row.
    const sweep = createOrphanSweep(core.worker.db)
    await until(async () => (await sweep()).length > 0)
    const second = await startProcess()
    await until(async () => (await core.runsOf(clinic))[0]?.status === 'succeeded')
    second.child.kill('SIGTERM')
    await second.exited
    const [run] = await core.runsOf(clinic)
    assert.deepEqual(
      run?.steps.map(({ status, attempts }) => [status, attempts]),
      [
        ['succeeded', 1],
        ['succeeded', 1],
        ['succeeded', 1],
      ],
    )
    const forms = await core.database.query('select id from forms where organization_id = $1', [clinic.id])
    assert.deepEqual([forms.length, (await core.mailsOf(clinic)).length], [1, 2])
    const { audited, published } = await core.finished(clinic)
    assert.deepEqual([audited, published], [['system success'], ['succeeded']])
  })
})
