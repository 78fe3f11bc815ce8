import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BUNNY_KEY,
  BUNNY_LIBRARY,
  type FakeBunny,
  NO_FFMPEG,
  processEnv,
  processesWith,
  randomFrom,
  soakRuns,
  soakSeed,
  startFakeBunny,
  until,
} from '@tendon/testing'
import { type Clinic, startComposer, type TestComposer } from '../testing.ts'

const KILLS = Math.min(50, soakRuns(4, 2))
const RENDERS = 3
const MAX_LIFE_MS = 3_500
const MAX_END_MS = 120_000
const SECRET = 'kill-series'

describe('a render worker that is killed, or its ffmpeg (kill -9)', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let bunny: FakeBunny
  let clinic: Clinic
  let slug: string
  let cacheDir: string
  let running: ChildProcess | undefined
  before(async () => {
    bunny = await startFakeBunny()
    cacheDir = mkdtempSync(join(tmpdir(), 'tendon-test-killed-'))
    composer = await startComposer({
      env: {
        VIDEO_HOST: 'bunny',
        BUNNY_API_URL: bunny.url,
        BUNNY_LIBRARY_ID: BUNNY_LIBRARY,
        BUNNY_API_KEY: BUNNY_KEY,
        BUNNY_CDN_URL: 'https://vz.example',
        WEBHOOK_SECRET: SECRET,
        COMPOSER_WORKER_METRICS_PORT: '0',
        COMPOSER_CACHE_DIR: cacheDir,
      },
    })
    bunny.sendWebhooksTo(`${composer.url}/webhooks/videohost?token=${SECRET}`)
    clinic = await composer.clinic()
    slug = (await composer.bundled(clinic, { without: /^audio\/ro/ })).slug
  })
  after(async () => {
    running?.kill('SIGKILL')
    await composer.close()
    bunny.close()
    rmSync(cacheDir, { recursive: true, force: true })
  })

  const start = () => {
    const entry = join(import.meta.dirname, '../worker.ts')
    const flags = ['--disable-warning=ExperimentalWarning', entry]
    running = spawn(process.execPath, flags, { env: { ...processEnv(), ...composer.variables }, stdio: 'ignore' })
    return running
  }
  /** Makes heartbeats two minutes older, so that another worker takes over, and the next attempts due. */
  const skipMinute = () =>
    composer.database.query(
      `update renders set heartbeat_at = heartbeat_at - interval '2 minutes', run_at = least(run_at, now()), attempts = 1
       where status in ('queued', 'rendering', 'uploading')`,
    )
  /** Makes the next attempt of failed renders due. Does not change running ones. */
  const skipWait = () =>
    composer.database.query(
      `update renders set run_at = now(), attempts = 1 where status = 'queued' and run_at > now()`,
    )
  const runningFfmpeg = () => processesWith(cacheDir).filter(({ command }) => /^[^\0]*ffmpeg\0/.test(command))
  /** Kills the next ffmpeg of the worker. False when it has ended all renders, or itself, and none was caught. */
  const killFfmpeg = async (worker: ChildProcess): Promise<boolean> => {
    for (let looks = 1; worker.exitCode === null; looks += 1) {
      const [found] = runningFfmpeg()
      try {
        if (found) return process.kill(found.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
      // Not each time: the next ffmpeg could end meanwhile.
      if (looks % 100 === 0 && (await left()) === 0) return false
      await sleep(2)
    }
    return false
  }
  const left = async () => {
    const [row] = await composer.database.query<{ count: number }>(
      `select count(*)::int from renders where status not in ('ready', 'failed')`,
    )
    return row?.count ?? 0
  }

  test(`${KILLS} times ends every render, with one video at the host, no process and no file left`, async () => {
    const random = randomFrom(soakSeed())
    let killedFfmpegs = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      if ((await left()) === 0)
        for (let n = 0; n < RENDERS; n += 1)
          assert.equal((await composer.compose(clinic.admin, slug, { seed: kill * RENDERS + n })).status, 202)
      const worker = start()
      const killsFfmpeg = kill % 3 === 0
      if (killsFfmpeg && (await killFfmpeg(worker))) killedFfmpegs += 1
      await sleep(killsFfmpeg ? random() * 500 : 500 + random() * MAX_LIFE_MS)
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      await until(() => runningFfmpeg().length === 0)
      await skipMinute()
    }
    assert.ok(killedFfmpegs > 0, 'ffmpeg was killed in some of the rounds')
    const worker = start()
    await until(async () => {
      await skipWait()
      return (await left()) === 0
    }, MAX_END_MS)
    await until(() => readdirSync(join(composer.config.composerCacheDir, 'work')).length === 0)
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    await bunny.settled()
    const rows = await composer.database.query<{ id: string; status: string }>('select id, status from renders')
    const titles = [...bunny.videos.values()].map(({ title }) => title)
    for (const { id, status } of rows)
      assert.equal(titles.filter((title) => title === id).length, status === 'ready' ? 1 : 0, `${id} ${status}`)
    assert.ok(rows.some(({ status }) => status === 'ready'))
    const clips = readdirSync(join(composer.config.composerCacheDir, 'clips'))
    assert.ok(clips.every((name) => /^[0-9a-f]{64}\.(mp4|aac|jpg)$/.test(name)))
    assert.deepEqual(processesWith(cacheDir), [])
  })
})
