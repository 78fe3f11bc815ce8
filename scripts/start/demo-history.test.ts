import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RunSummary } from '@tendon/contracts'
import { startCore, type TestCore } from '../../apps/core/src/testing/core.ts'
import type { TestOrganization } from '../../apps/core/src/testing/people.ts'
import { tokensOf } from '../simulate/testing.ts'
import { type Api, createApi, type Json } from './api.ts'
import { hasRuns, seedHistory } from './demo-history.ts'
import { seedPatients } from './demo-patients.ts'
import { seedPlans } from './demo-plans.ts'

describe('the history of the demo clinic', () => {
  let core: TestCore
  let clinic: TestOrganization
  let api: Api
  let admin: string
  before(async () => {
    core = await startCore()
    clinic = await core.organization()
    admin = clinic.admin.email
    api = createApi({ url: core.url, tokenOf: tokensOf(core, clinic.admin) })
    await seedPatients(api, `/v1/organizations/${clinic.id}`, admin)
    assert.equal(await hasRuns(core.database.url, clinic.id), false)
    const experienced = await seedPlans(api, admin)
    await seedHistory(core.config, core.database.url, experienced, { weeks: 1 })
  })
  after(() => core.close())

  test('the history of the demo clinic can be read by the clinic and its patients, and appears in the statistics', async () => {
    assert.equal(await hasRuns(core.database.url, clinic.id), true)
    const patients: Json[] = await api.get('/v1/patients?limit=100', admin)
    let runs = 0
    for (const { id, email, status } of patients) {
      const seen: RunSummary[] = await api.get(`/v1/patients/${id}/session-runs?limit=100`, admin)
      runs += seen.length
      for (const run of seen) {
        const { total, completed, skipped, abandoned } = run.exercises
        assert.equal(completed + skipped + abandoned, total, 'every exercise came to an end')
        assert.equal(run.status === 'ended_naturally', abandoned === 0)
        assert.equal(run.media?.is_complete, run.status !== 'ended_auto')
        assert.ok(
          Date.parse(run.started_at) < Date.parse(run.ended_at ?? '') && Date.parse(run.ended_at ?? '') < Date.now(),
        )
      }
      if (status !== 'claimed') continue
      const own: RunSummary[] = await api.get('/v1/me/session-runs?limit=100', email)
      assert.deepEqual(own.map((run) => run.id), seen.map((run) => run.id)) // biome-ignore format: one line
    }
    assert.ok(runs > 5)
    const overview = await api.get('/v1/stats/overview', admin)
    assert.deepEqual([overview.runs.total, overview.runs.in_progress, overview.media.runs], [runs, 0, runs])
    const adherence = await api.get('/v1/analytics/cohort/exercise-adherence', admin)
    assert.ok(adherence.exercises.some(({ measured }: Json) => measured > 0))
  })

  test('the history of the demo clinic has filmed runs with repetitions and a replay', async () => {
    const [{ run_id }] = (await core.database.query<{ run_id: string }>('select run_id from replay_blobs limit 1')) as [
      { run_id: string },
    ]
    const analytics = await api.get(`/v1/session-runs/${run_id}/analytics`, admin)
    assert.equal(analytics.replay_available, true)
    assert.ok(analytics.exercise_results.some(({ repetitions }: Json) => repetitions.length > 0))
    const { url, frame_count } = await api.get(`/v1/session-runs/${run_id}/replay`, admin)
    assert.ok(frame_count > 0 && URL.canParse(url))
  })

  test('a new patient still has to accept the terms and has a plan', async () => {
    const email = 'maria.stan@mail.example'
    const refused = await core.get('/v1/me/treatment-plans', {
      as: { token: await tokensOf(core, clinic.admin)(email) },
    })
    assert.equal(refused.status, 412)
    const plans: Json[] = await api.get('/v1/treatment-plans?limit=100', admin)
    assert.ok(plans.some(({ patient, status }) => patient.name === 'Maria Stan' && status === 'active'))
  })
})
