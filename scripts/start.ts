// `npm start`: everything from an empty clone to a table of URLs. `npm run dev` (--watch) restarts services on changes and
// reloads the web apps.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig } from '@tendon/config'
import { MigrationsRefused, migrate, startEmbeddedPostgres } from '@tendon/db'
import { CHECK_DATABASE_URL, databaseUrlFile, isUnreachable } from '@tendon/process'
import pg from 'pg'
import { seedDemo } from './start/demo.ts'
import { seedFilms } from './start/demo-films.ts'
import { startMailReceiver } from './start/mail-receiver.ts'
import { portsInUse, problemOfPorts } from './start/ports.ts'
import { Processes, ProcessFailed } from './start/processes.ts'
import { printTable } from './start/table.ts'
import { buildWebApps, startWebServer } from './start/web.ts'
import { startWebhookReceiver } from './start/webhook-receiver.ts'

const isDev = process.argv.includes('--watch')
const DEV_URL = 'http://127.0.0.1:5173'
const step = (line: string) => console.log(`  ${line}`)

/** A reason to stop that the user can fix: shown as a sentence. */
class StartRefused extends Error {}
const EXPECTED = [StartRefused, ConfigError, ProcessFailed, MigrationsRefused]

const stopping: (() => Promise<void>)[] = []
let stopped: Promise<void> | undefined

/** Stops everything in reverse order; a second Ctrl-C waits for the first. */
function stopAll(): Promise<void> {
  stopped ??= (async () => {
    for (const stop of stopping.reverse()) await stop()
  })()
  return stopped
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopped) console.log('\nStopping …')
    void stopAll().then(() => process.exit(0))
  })
}

try {
  await start()
} catch (error) {
  if (!stopped) {
    const isExpected = EXPECTED.some((kind) => error instanceof kind)
    console.error(isExpected ? `\n${(error as Error).message}` : error)
    await stopAll()
    process.exit(1)
  }
}

async function start(): Promise<void> {
  if (process.env.NODE_ENV === 'production') {
    throw new StartRefused(
      'npm start is for local use. In production run each service separately; see README.md, "Running in production".',
    )
  }
  const config = readConfig(isDev ? { PUBLIC_URL: DEV_URL, ...process.env } : process.env)
  console.log('Tendon is starting.')
  await mkdir(config.DATA_DIR, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(
      `The data folder ${config.DATA_DIR} cannot be created (${error.code}). Choose another: DATA_DIR=… npm start`,
    )
  })

  const local = config.AUTH_ISSUER === undefined
  const ports = [
    ['CORE_PORT', config.CORE_PORT],
    ['CORE_METRICS_PORT', config.CORE_METRICS_PORT],
    ['WORKER_METRICS_PORT', config.WORKER_METRICS_PORT],
    ['TELEMETRY_PORT', config.TELEMETRY_PORT],
    ['TELEMETRY_METRICS_PORT', config.TELEMETRY_METRICS_PORT],
    ['COMPOSER_PORT', config.COMPOSER_PORT],
    ['COMPOSER_METRICS_PORT', config.COMPOSER_METRICS_PORT],
    ['COMPOSER_WORKER_METRICS_PORT', config.COMPOSER_WORKER_METRICS_PORT],
    ...(local
      ? ([
          ['IDENTITY_PORT', config.IDENTITY_PORT],
          ['MAIL_RECEIVER_PORT', config.MAIL_RECEIVER_PORT],
          ['WEBHOOK_RECEIVER_PORT', config.WEBHOOK_RECEIVER_PORT],
        ] as const)
      : []),
  ] as const
  const problem = await problemOfPorts(config.HOST, ports)
  if (problem !== undefined) throw new StartRefused(problem)

  const web = isDev ? undefined : buildWebApps()
  if (web) stopping.push(async () => web.stop())
  const databaseUrl = await startDatabase(config)
  step('database: migrations and seeds')
  const applied = await migrate({
    url: databaseUrl,
    roleSecret: config.DATABASE_ROLE_SECRET,
    onProgress: (line) => step(`  ${line}`),
  }).catch((error: Error) => {
    throw isUnreachable(error) ? new StartRefused(`${error.message}. ${CHECK_DATABASE_URL}`) : error
  })
  if (applied.length === 0) step('  nothing new')

  const env = {
    OUTBOUND_ALLOW_PRIVATE: 'true',
    ...process.env,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: config.publicUrl,
  }
  const processes = new Processes(join(config.DATA_DIR, 'logs'), env, { watch: isDev })
  stopping.push(() => processes.stop())
  if (local) {
    step('identity provider, mail server, webhook receiver')
    stopping.push(await startMailReceiver(config.HOST, config.MAIL_RECEIVER_PORT))
    stopping.push(await startWebhookReceiver(config.HOST, config.WEBHOOK_RECEIVER_PORT))
    await processes.start(
      'identity',
      'apps/identity/src/server.ts',
      `${config.issuer}/.well-known/openid-configuration`,
    )
  }
  step('core API, worker, telemetry and composer')
  await Promise.all([
    processes.start('core', 'apps/core/src/server.ts', `http://${config.HOST}:${config.CORE_PORT}/health/ready`),
    processes.start('worker', 'apps/core/src/worker.ts', `http://${config.HOST}:${config.WORKER_METRICS_PORT}/metrics`),
    processes.start(
      'telemetry',
      'apps/telemetry/src/server.ts',
      `http://${config.HOST}:${config.TELEMETRY_PORT}/v1/readyz`,
    ),
    processes.start('composer', 'apps/composer/src/server.ts', `${config.composerUrl}/health/ready`),
    processes.start(
      'composer-worker',
      'apps/composer/src/worker.ts',
      `http://${config.HOST}:${config.COMPOSER_WORKER_METRICS_PORT}/metrics`,
    ),
  ])
  if (web) {
    step('web apps')
    for (const line of (await web.done).split('\n')) step(`  ${line}`)
  } else {
    step('web apps: Vite')
    stopping.push(await startWebServer(config))
  }
  if (local) {
    step('demo clinic')
    await seedDemo(config, databaseUrl, (line) => step(`  ${line}`))
  }
  printTable(config, local)
  if (local) void addFilms(config)
  await processes.firstFailure()
}

/** Runs in the background; the start does not wait for it. */
async function addFilms(config: ReturnType<typeof readConfig>): Promise<void> {
  try {
    const { renderer } = (await (await fetch(`${config.composerUrl}/health/ready`)).json()) as Ready
    if (renderer.ffmpeg === null) step(renderer.message)
    const count = await seedFilms(config)
    if (count > 0) step(`Demonstration films for ${count} exercises are in the library.`)
  } catch (error) {
    if (!stopped) step(`The demonstration films could not be added: ${(error as Error).message}`)
  }
}

interface Ready {
  renderer: { ffmpeg: string | null; message: string }
}

async function startDatabase(config: ReturnType<typeof readConfig>): Promise<string> {
  if (config.DATABASE_URL !== undefined) return config.DATABASE_URL
  step('database: embedded PostgreSQL')
  const postgres = await startEmbeddedPostgres({
    dataDir: config.DATA_DIR,
    port: config.DATABASE_PORT,
    durable: true,
    onProgress: (line) => step(`  ${line}`),
  }).catch((error: Error & { code?: string }) => {
    if (error.code === 'PORT_IN_USE') throw new StartRefused(portsInUse([['DATABASE_PORT', config.DATABASE_PORT]]))
    if (error.code === 'ALREADY_RUNNING')
      throw new StartRefused(`${error.message} Stop it first (Ctrl-C where it runs), or use another DATA_DIR.`)
    throw error
  })
  stopping.push(() => postgres.stop())
  const url = await ensureDatabase(postgres.url, 'tendon')
  const file = databaseUrlFile(config)
  await writeFile(file, `${url}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  stopping.push(() => rm(file, { force: true }))
  return url
}

async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
