import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort, processEnv, START_MS, until } from '@tendon/testing'
import { startComposer, type TestComposer } from './testing.ts'

/** Prints what a server of the process listens with. */
const SHOW_LISTEN = `data:text/javascript,${encodeURIComponent(`
  import channels from 'node:diagnostics_channel'
  const show = ({ options }) => console.log('listens', JSON.stringify(options))
  channels.subscribe('tracing:net.server.listen:asyncStart', show)
`)}`

describe('a process of the composer', () => {
  let composer: TestComposer
  before(async () => {
    composer = await startComposer()
    await composer.database.query(
      `insert into migrations (name, checksum) values ('9001_of_a_newer_release.sql', 'checksum')`,
    )
  })
  after(() => composer.close())

  /** Runs until it has printed all of these. */
  async function prints(entry: string, patterns: readonly RegExp[], ports: Record<string, string>): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', SHOW_LISTEN, join(import.meta.dirname, entry)],
      { env: { ...processEnv(), ...composer.variables, ...ports }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    try {
      await until(() => child.exitCode !== null || patterns.every((pattern) => pattern.test(output)), START_MS)
    } finally {
      child.kill('SIGTERM')
      await exited
    }
    for (const pattern of patterns) assert.match(output, pattern)
  }

  const WARNING = /"level":40.*A newer release has migrated the database \(migrations\/9001_of_a_newer_release\.sql\)/

  test('that serves lets many clients wait, and prints the warnings about the database', async () => {
    const [port, metrics] = [String(await freePort()), String(await freePort())]
    const listens = new RegExp(`listens .*"port":${port},.*"backlog":4096`)
    await prints('server.ts', [WARNING, listens], { COMPOSER_PORT: port, COMPOSER_METRICS_PORT: metrics })
  })

  test('that renders prints the warnings about the database', async () => {
    await prints('worker.ts', [WARNING], { COMPOSER_WORKER_METRICS_PORT: String(await freePort()) })
  })
})
