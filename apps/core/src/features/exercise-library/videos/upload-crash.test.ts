import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import pg from 'pg'
import type { Person } from '../../../testing/core.ts'
import { startServerProcess } from '../../../testing/process.ts'
import { longer, MP4, startMedia, type TestMedia } from './media.testing.ts'
import { tusOf } from './tus.testing.ts'

const MB = 1024 * 1024

describe('a resumable upload that is interrupted', () => {
  let core: TestMedia
  let admin: Person
  let env: Record<string, string>
  before(async () => {
    core = await startMedia()
    env = {
      NODE_ENV: 'test',
      DATABASE_URL: core.database.url,
      DATABASE_ROLE_SECRET: core.config.DATABASE_ROLE_SECRET,
      AUTH_ISSUER: core.issuer.issuer,
      DATA_DIR: core.config.DATA_DIR,
      FFMPEG_PATH: 'none',
    }
    admin = (await core.organization()).admin
  })
  after(() => core.close())

  const exercise = async (): Promise<string> => (await core.library.exercise(admin)).id
  async function plays(id: string, content: Buffer = MP4): Promise<void> {
    const { body } = await core.library.read(admin, id)
    assert.ok((await core.open(body.data.video_url)).bytes.equals(content))
  }

  test('continues with the parts that arrived before the connection broke', async () => {
    const id = await exercise()
    const tus = tusOf(core.url, admin)
    const video = longer(MP4, 20 * MB)
    const path = await tus.started(id, video.length)
    const sending = tus.open(path, 0, video.length, video.subarray(0, 12 * MB))
    await until(async () => (await tus.offset(path)) >= 8 * MB)
    sending.cut()
    const resumedAt = await until(async () => {
      const at = await tus.offset(path)
      const answer = await tus.patch(path, at, video.subarray(at))
      return answer.status === 204 ? at : undefined
    })
    assert.ok(resumedAt >= 8 * MB && resumedAt <= 12 * MB)
    assert.equal((await tus.finish(path)).status, 200)
    await plays(id, video)
  })

  test('continues on another server after kill -9 in the middle of a part', async () => {
    const id = await exercise()
    const server = await startServerProcess(env)
    const doomed = tusOf(server.url, admin)
    const path = await doomed.started(id)
    assert.equal((await doomed.patch(path, 0, MP4.subarray(0, 400))).status, 204)
    const sending = doomed.open(path, 400, MP4.length - 400, MP4.subarray(400, 700))
    await sending.sent
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, sending.broken])
    const survivor = tusOf(core.url, admin)
    const at = await survivor.offset(path)
    assert.equal(at, 400)
    assert.equal((await survivor.patch(path, at, MP4.subarray(at))).status, 204)
    assert.equal((await survivor.finish(path)).status, 200)
    await plays(id)
  })

  test('a resumable upload that is interrupted is finished by a repeat after kill -9 while it was being finished', async () => {
    const id = await exercise()
    const path = await tusOf(core.url, admin).complete(id)
    const server = await startServerProcess(env)
    const locker = new pg.Client({ connectionString: core.database.url })
    await locker.connect()
    await locker.query('begin')
    await locker.query('select 1 from exercises where id = $1 for update', [id])
    const lost = tusOf(server.url, admin)
      .finish(path)
      .catch(() => undefined)
    await until(async () => {
      const rows = await core.database.query(`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike '%exercises%'`)
      return rows.length > 0
    })
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, lost])
    await locker.query('commit')
    await locker.end()
    const again = await tusOf(core.url, admin).finish(path)
    assert.equal(again.status, 200, JSON.stringify(again.body))
    await plays(id)
    const entries = await core.get(`/v1/audit-logs?target_id=${id}&action=exercises.upload_video`, { as: admin })
    assert.equal(entries.body.data.length, 1)
  })
})
