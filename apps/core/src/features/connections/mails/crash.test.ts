import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort, processEnv, TEST_ROLE_SECRET, until } from '@tendon/testing'
import { sendDueMails } from './loop.ts'
import { startCoreAndMail } from './mails.testing.ts'

const WORKER = join(import.meta.dirname, '../../../worker.ts')

describe('a worker that is killed while it sends', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  before(async () => {
    core = await startCoreAndMail()
  })
  after(() => core.close())

  test('between sending and marking: nothing is lost, and the repeat has the same Message-ID', async () => {
    const clinic = await core.organization()
    const data = JSON.stringify({ organization_name: 'Test', role_name: 'Admin', inviter_name: 'Ana' })
    const values = { organization_id: clinic.id, template: 'member_invited', kind: 'account', data }
    const ids = [await core.queue(values), await core.queue(values), await core.queue(values)]

    const child = spawn(process.execPath, [WORKER], {
      env: {
        ...processEnv(),
        DATABASE_URL: core.database.url,
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        WORKER_METRICS_PORT: String(await freePort()),
        OUTBOUND_ALLOW_PRIVATE: 'true',
        MAIL_SMTP_URL: `smtp://127.0.0.1:${core.smtp.port}`,
        MAIL_FROM_ADDRESS: core.config.MAIL_FROM_ADDRESS,
      },
      stdio: 'ignore',
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    // The server has the mail; its answer reaches a worker that is dead.
    core.smtp.onMail = async () => {
      child.kill('SIGKILL')
      await exited
    }
    await exited
    core.smtp.onMail = () => {}
    await until(() => core.smtp.mails.length > 0)
    const first = core.smtp.mails.map(({ messageId }) => messageId)
    const rows = await Promise.all(ids.map(core.rowOf))
    assert.deepEqual(
      rows.map((row) => row?.status),
      ['sending', 'sending', 'sending'],
    )

    core.clock.now = new Date()
    assert.equal((await sendDueMails(core.worker)).taken, 0)
    core.clock.now = new Date(Date.now() + 61_000)
    assert.equal((await sendDueMails(core.worker)).taken, 3)
    const received = new Set(core.smtp.mails.map(({ messageId }) => String(messageId)))
    assert.deepEqual([...received].sort(), ids.map((id) => `<${id}@tendon.example>`).sort())
    assert.ok(first.every((messageId) => received.has(String(messageId))))
    assert.deepEqual(
      (await Promise.all(ids.map(core.rowOf))).map((row) => row?.status),
      ['sent', 'sent', 'sent'],
    )
  })
})
