import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort, processEnv, TEST_ROLE_SECRET } from '@tendon/testing'
import { startCoreAndRounds, startReceiver } from './webhooks.testing.ts'

const WORKER = join(import.meta.dirname, '../../../worker.ts')

describe('a worker that is killed while it delivers', () => {
  let core: Awaited<ReturnType<typeof startCoreAndRounds>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  before(async () => {
    core = await startCoreAndRounds()
    receiver = await startReceiver()
  })
  after(async () => {
    await core.close()
    await receiver.close()
  })

  test('a kill between sending and marking loses nothing, and the repeat has the same id and bytes', async () => {
    const clinic = await core.organization()
    const hook = await core.subscribe(clinic, `${receiver.url}/hook`)
    const ids = await Promise.all([1, 2, 3].map(() => core.publish(clinic, 'form.signed', { form_id: randomUUID() })))
    const child = spawn(process.execPath, [WORKER], {
      env: {
        ...processEnv(),
        DATABASE_URL: core.database.url,
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        WORKER_METRICS_PORT: String(await freePort()),
        OUTBOUND_ALLOW_PRIVATE: 'true',
      },
      stdio: 'ignore',
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    // The receiver got the event, and the worker is killed before it reads the response.
    receiver.answer = async (_received, response) => {
      child.kill('SIGKILL')
      await exited
      response.end()
    }
    await exited
    receiver.answer = (_received, response) => void response.end()
    const before = receiver.received.map(({ body }) => body.toString())
    assert.ok(before.length > 0)
    await core.fanOut()
    core.clock.now = new Date(Date.now() + 31_000)
    await core.deliver()
    const after = receiver.received.map(({ body }) => body.toString())
    assert.ok(before.every((body) => after.slice(before.length).includes(body)))
    assert.deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set(ids))
    const statuses = (await core.deliveriesOf(clinic, hook.uid)).map(({ status }: { status: string }) => status)
    assert.deepEqual(statuses, ['delivered', 'delivered', 'delivered'])
  })
})
