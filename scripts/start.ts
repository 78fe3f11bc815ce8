// `npm start`: everything from an empty clone to a table of URLs. `npm run dev` (--watch) restarts services on changes and
// reloads the web apps.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '@tendon/config'
import { MigrationsRefused, migrate, startEmbeddedPostgres } from '@tendon/db'
import { CHECK_DATABASE_URL, databaseUrlFile, isUnreachable } from '@tendon/process'
import pg from 'pg'
import { DemoIncomplete, seedDemo } from './start/demo.ts'
import { seedFilms } from './start/demo-films.ts'
import { followIssuer } from './start/identities.ts'
import { problemOfPorts } from './start/ports.ts'
import { ProcessFailed } from './start/processes.ts'
import { startReceivers } from './start/receivers.ts'
import { portsOf, startServices } from './start/services.ts'
import { printTable } from './start/table.ts'
import { buildWebApps, startWebServer } from './start/web.ts'

const isDev = process.argv.includes('--watch')
const DEV_URL = 'http://127.0.0.1:5173'
const step = (line: string) => console.log(`  ${line}`)

/** A reason to stop that the user can fix: shown as a sentence. */
class StartRefused extends Error {}
const EXPECTED = [StartRefused, ConfigError, ProcessFailed, MigrationsRefused, DemoIncomplete]

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
  const defaults = isDev ? { PUBLIC_URL: DEV_URL } : {}
  const wanted = readConfig({ ...defaults, ...process.env })
  console.log('Tendon is starting.')
  await mkdir(wanted.DATA_DIR, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(
      `The data folder ${wanted.DATA_DIR} cannot be created (${error.code}). Choose another: DATA_DIR=… npm start`,
    )
  })

  const problem = await problemOfPorts(wanted.HOST, portsOf(wanted))
  if (problem !== undefined) throw new StartRefused(problem)

  const web = isDev ? undefined : buildWebApps()
  if (web) stopping.push(async () => web.stop())
  const { url: databaseUrl, port: databasePort } = await startDatabase(wanted)
  step('database: migrations and seeds')
  const applied = await migrate({
    url: databaseUrl,
    roleSecret: wanted.DATABASE_ROLE_SECRET,
    onProgress: (line) => step(`  ${line}`),
  }).catch((error: Error) => {
    throw isUnreachable(error) ? new StartRefused(`${error.message}. ${CHECK_DATABASE_URL}`) : error
  })
  if (applied.length === 0) step('  nothing new')

  const started = await startServices({
    variables: process.env,
    defaults: { OUTBOUND_ALLOW_PRIVATE: 'true', ...defaults },
    databaseUrl,
    logDir: join(wanted.DATA_DIR, 'logs'),
    watch: isDev,
    receivers: startReceivers,
    onProgress: step,
  })
  stopping.push(started.stop)
  const { config, processes } = started
  const local = config.AUTH_ISSUER === undefined
  if (local && config.DATABASE_URL === undefined) await followIssuer(databaseUrl, config.issuer)
  if (web) {
    step('web apps')
    for (const line of (await web.done).split('\n')) step(`  ${line}`)
  } else {
    step('web apps: Vite')
    stopping.push(await startWebServer(config))
  }
  if (local) {
    step('demo clinic')
    const seeded = seedDemo(config, databaseUrl, (line) => step(`  ${line}`))
    await Promise.race([seeded, processes.firstFailure()])
  }
  printTable({ ...config, DATABASE_PORT: databasePort }, wanted)
  if (local) void addFilms(config)
  await processes.firstFailure()
}

/** Runs in the background; the start does not wait for it. */
async function addFilms(config: Config): Promise<void> {
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

async function startDatabase(config: Config): Promise<{ url: string; port: number }> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, port: config.DATABASE_PORT }
  step('database: embedded PostgreSQL')
  const onPort = (port: number) =>
    startEmbeddedPostgres({
      dataDir: config.DATA_DIR,
      port,
      durable: true,
      onProgress: (line) => step(`  ${line}`),
    })
  const postgres = await onPort(config.DATABASE_PORT).catch((error: Error & { code?: string }) => {
    if (error.code === 'PORT_IN_USE') {
      step(`  port ${config.DATABASE_PORT} is in use: the database takes another`)
      return onPort(0)
    }
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
  return { url, port: Number(new URL(url).port) }
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
