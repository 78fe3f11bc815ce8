import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NO_FFMPEG } from '@tendon/testing'
import { type Clinic, startComposer, type TestComposer } from '../testing.ts'

describe('metrics of the render worker', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let clinic: Clinic
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
  })
  after(() => composer.close())

  test('metrics of the render worker show how many renders wait and for how long, and the duration of finished ones', async () => {
    const { slug } = await composer.bundled(clinic, { without: /^audio\/ro/ })
    await composer.compose(clinic.admin, slug)
    await composer.database.query(`update renders set run_at = now() - interval '90 seconds'`)
    // A worker without ffmpeg updates the metrics and takes no render.
    const idle = await composer.work({ ffmpeg: undefined })
    const read = async (worker: typeof idle) => {
      const text = await worker.tools.services.metrics.metrics()
      const lines = text
        .replaceAll(/service="[^"]*",?/g, '')
        .replaceAll(/\{\}|,(?=\})/g, '')
        .split('\n')
      return (name: string) =>
        Number(
          lines
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')
            .at(-1),
        )
    }
    const waiting = await read(idle)
    assert.equal(waiting('composer_renders{status="queued"}'), 1)
    assert.ok(waiting('composer_queue_age_seconds') >= 90)
    await idle.stop()

    const worker = await composer.work()
    const [row] = await composer.database.query<{ id: string }>('select id from renders')
    assert.equal((await composer.ended(clinic.admin, row?.id ?? '')).status, 'ready')
    await worker.stop()
    const done = await read(worker)
    assert.equal(done('composer_renders_total{outcome="ready"}'), 1)
    assert.equal(done('composer_render_bytes_count'), 1)
    assert.ok(done('composer_render_bytes_sum') > 1_000)
    for (const stage of ['normalising', 'joining', 'checking', 'uploading'])
      assert.equal(done(`composer_stage_seconds_count{stage="${stage}"}`), 1, stage)
  })
})
