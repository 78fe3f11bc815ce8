import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Database } from '@tendon/db'
import { createMetrics } from '@tendon/process'
import { portOf, randomFrom } from '@tendon/testing'
import { pino } from 'pino'
import { startCore, type TestCore } from '../apps/core/src/testing/core.ts'
import type { TestOrganization } from '../apps/core/src/testing/people.ts'
import { createMemoryDisk } from '../apps/telemetry/src/log/memory-files.testing.ts'
import { buildTelemetry, type Telemetry } from '../apps/telemetry/src/telemetry.ts'
import { checkRun } from './simulate/check.ts'
import { liveSession, type World } from './simulate/live.ts'
import { createReception } from './simulate/patients.ts'
import { summaryOf } from './simulate/report.ts'
import { simulate } from './simulate/simulate.ts'
import { newTally } from './simulate/tally.ts'
import { tokensOf } from './simulate/testing.ts'
import { createApi } from './start/api.ts'
import type { ProgramPlan } from './start/demo-plans.ts'

const SHORT: ProgramPlan = {
  name: 'Short',
  description: 'One of each',
  sessions: [
    {
      title: 'Today',
      exercises: [
        { slug: 'sit-to-stand', sets: 1, reps: 4, rest_seconds: 2 },
        { slug: 'quadriceps-set', sets: 1, reps: 1, hold_seconds: 3, rest_seconds: 2 },
      ],
    },
  ],
}

describe('simulated patients', () => {
  let core: TestCore
  let telemetry: Telemetry
  let telemetryUrl: string
  let clinic: TestOrganization
  let close: () => Promise<void>
  before(async () => {
    core = await startCore()
    const db = new Database({ ...core.database.options, login: 'tendon_telemetry', poolSize: 4 })
    telemetry = buildTelemetry({
      config: core.config,
      files: createMemoryDisk(),
      db,
      objects: core.services.objects,
      registry: createMetrics('telemetry'),
      log: pino({ level: 'silent' }),
      now: Date.now,
      onFatal: (error) => {
        throw error
      },
    })
    await new Promise<void>((resolve) => telemetry.server.listen(0, '127.0.0.1', resolve))
    telemetryUrl = `http://127.0.0.1:${portOf(telemetry.server)}`
    await telemetry.start()
    clinic = await core.organization()
    await core.publishNotice(clinic)
    close = async () => {
      await telemetry.stop()
      await db.close()
      await core.close()
    }
  })
  after(() => close())

  const world = (): World => {
    const tokenOf = tokensOf(core, clinic.admin)
    const api = createApi({ url: core.url, tokenOf })
    return { api, staff: clinic.admin.email, tally: newTally(), speed: 1_000, telemetryUrl }
  }

  test('simulated patients do their sessions, and all acknowledged data can be read', async () => {
    const tally = newTally()
    const tokenOf = tokensOf(core, clinic.admin)
    const staff = clinic.admin.email
    const people = { patients: 2, sessions: 1, speed: 1_000, seed: 3 }
    await simulate({ coreUrl: core.url, telemetryUrl, tokenOf, staff, ...people, program: SHORT, tally })
    assert.deepEqual(tally.problems, [])
    assert.deepEqual([...tally.refusals], [])
    assert.equal(tally.sessions, 2)
    assert.ok(tally.frames > 100 && tally.framesShed === 0)
    assert.equal(tally.exercises.off, 0)
    assert.ok(tally.exercises.exact > 0)
    assert.match(summaryOf(tally, 3).join('\n'), /readers +all acknowledged data can be read/)
  })

  test('report missing data', async () => {
    const around = world()
    const receive = await createReception(around.api, around.staff, SHORT)
    const patient = await receive(1)
    const run = await liveSession(around, patient, patient.planSessionIds[0] ?? '', randomFrom(3))
    await checkRun(around, run)
    assert.deepEqual(around.tally.problems, [])
    const losses = [
      `delete from session_run_events where session_run_id = $1 and type = 'started'`,
      'update media_session_metrics set watch_seconds = watch_seconds - 1 where run_id = $1',
      'update replay_blobs set frame_count = frame_count - 1 where run_id = $1',
    ]
    for (const loss of losses) await core.database.query(loss, [run.id])
    await checkRun(around, run)
    const text = around.tally.problems.join('\n')
    assert.match(text, /exercise events is \["/)
    assert.match(text, /the patient: player/)
    assert.match(text, /the replay has \d+ frames/)
  })
})
