import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { readConfig } from '@tendon/config'
import { createTestDatabase, freePort, processEnv, TEST_ROLE_SECRET, type TestDatabase } from '@tendon/testing'
import { ProcessFailed } from './processes.ts'
import { startReceivers } from './receivers.ts'
import { LOCAL_PORTS, PORTS, type StartOptions, startServices } from './services.ts'

const HOST = '127.0.0.1'

describe('npm start, when a port is taken after it was checked', () => {
  let database: TestDatabase
  let dataDir: string
  before(async () => {
    database = await createTestDatabase()
    dataDir = mkdtempSync(join(tmpdir(), 'tendon-test-start-'))
  })
  after(async () => {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function options(given: Record<string, string> = {}): Promise<StartOptions & { lines: string[] }> {
    const ports = await Promise.all([...PORTS, ...LOCAL_PORTS].map(async (name) => [name, String(await freePort())]))
    const lines: string[] = []
    return {
      variables: {
        ...processEnv(),
        DATA_DIR: dataDir,
        DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
        LOG_LEVEL: 'error',
        ...Object.fromEntries(ports),
        ...given,
      },
      databaseUrl: database.url,
      logDir: join(dataDir, 'logs'),
      receivers: startReceivers,
      onProgress: (line) => lines.push(line),
      lines,
    }
  }

  /** A program that answers everything, as another npm start would. */
  async function occupy(t: TestContext, port: string | undefined): Promise<Server> {
    const server = createServer((_request, response) => void response.end('{"status":"not ours"}'))
    t.after(() => server.close().closeAllConnections())
    await once(server.listen(Number(port), HOST), 'listening')
    return server
  }

  test('every service takes another, the others know it, and the URLs are the real ones', async (t) => {
    const given = await options({ CORE_METRICS_PORT: '0' })
    const wanted = readConfig(given.variables)
    const taken = ['CORE_PORT', 'WORKER_METRICS_PORT', 'TELEMETRY_PORT', 'COMPOSER_PORT'] as const
    let rounds = 0
    const started = await startServices({
      ...given,
      receivers: async (config) => {
        // The checks are over, and the services start next.
        rounds += 1
        if (rounds === 1) for (const setting of taken) await occupy(t, given.variables[setting])
        return startReceivers(config)
      },
    })
    t.after(() => started.stop())
    const { config } = started
    assert.equal(rounds, 2)
    for (const setting of taken) assert.notEqual(config[setting], wanted[setting], setting)
    assert.equal(config.IDENTITY_PORT, wanted.IDENTITY_PORT)
    assert.ok(config.CORE_METRICS_PORT > 0)
    assert.equal(config.publicUrl, `http://${HOST}:${config.CORE_PORT}`)
    for (const setting of taken)
      assert.ok(
        given.lines.includes(`port ${wanted[setting]} was taken meanwhile: ${setting} is ${config[setting]}`),
        given.lines.join('\n'),
      )
    const read = async (url: string) => (await fetch(url)).text()
    assert.match(await read(`${config.publicUrl}/health`), /"status":"healthy"/)
    assert.match(await read(`http://${HOST}:${config.CORE_METRICS_PORT}/metrics`), /service="core"/)
    assert.match(await read(`http://${HOST}:${config.WORKER_METRICS_PORT}/metrics`), /service="worker"/)
    assert.match(await read(`${config.composerUrl}/health/ready`), /"ready":true/)
    assert.match(await read(`${config.telemetryUrl}/v1/readyz`), /"status":"ready"/)
    assert.match(await read(config.issuer), new RegExp(config.publicUrl), 'sign-in leads to the new port')
  })

  test('identity provider, mail server and webhook receiver take others too', async (t) => {
    const given = await options()
    for (const setting of LOCAL_PORTS) await occupy(t, given.variables[setting])
    const seen: number[][] = []
    const stop = new Error('seen enough')
    const receivers: StartOptions['receivers'] = async (config) => {
      seen.push(LOCAL_PORTS.map((setting) => config[setting]))
      const close = await startReceivers(config)
      await close()
      throw stop
    }
    await assert.rejects(startServices({ ...given, receivers }), stop)
    assert.equal(seen.length, 2)
    for (const [place, port] of (seen[0] ?? []).entries()) assert.notEqual(seen[1]?.[place], port)
  })

  test('a port that leads somewhere from outside is not exchanged: the start says what to do', async (t) => {
    const given = await options({ PUBLIC_URL: 'http://localhost:8080' })
    await occupy(t, given.variables.CORE_PORT)
    await occupy(t, given.variables.MAIL_RECEIVER_PORT)
    const { CORE_PORT } = given.variables
    await assert.rejects(startServices(given), (error: Error) => {
      assert.ok(error instanceof ProcessFailed)
      assert.match(error.message, new RegExp(`^Port ${CORE_PORT} is in use, .* CORE_PORT=… npm start$`))
      return true
    })
  })

  test('a start whose ports are taken again and again ends, and says what to do', async (t) => {
    const given = await options()
    let rounds = 0
    const receivers: StartOptions['receivers'] = async (config) => {
      rounds += 1
      await occupy(t, String(config.WEBHOOK_RECEIVER_PORT))
      return startReceivers(config)
    }
    await assert.rejects(
      startServices({ ...given, receivers }),
      /WEBHOOK_RECEIVER_PORT.* then run the same command again\.$/,
    )
    assert.equal(rounds, 5)
  })
})
