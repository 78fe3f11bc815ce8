import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseOptions, migrate, watchRights } from '@tendon/db'
import { Client, Pool, type QueryResult, type QueryResultRow } from 'pg'
import { atEndOfProcess } from './end-of-process.ts'

/** The passwords of the logins of test databases are derived from this secret. */
export const TEST_ROLE_SECRET = 'test-database-role-secret-do-not-use'

const TEMPLATE = 'tendon_template'
const CLOSE_POLLS = 100

function serverUrl(database: string, server = process.env.TEST_DATABASE_URL): string {
  if (!server)
    throw new Error('TEST_DATABASE_URL is not set. Run tests with "npm test" or "npm run test:only -- <files>".')
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

export async function onServer<Result>(database: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: serverUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

let administrator: Promise<Client> | undefined

/** The connection that creates and drops databases: one per process. */
function administer<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>> {
  administrator ??= connectAdministrator()
  return administrator.then((client) => client.query<Row>(text, values))
}

async function connectAdministrator(): Promise<Client> {
  const client = new Client({ connectionString: serverUrl('postgres') })
  await client.connect()
  client.on('error', () => {}) // the server may stop before the process
  atEndOfProcess(() => client.end())
  return client
}

/** Migrates the template that test databases are copied from. */
export async function prepareTemplate(server: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`).finally(() => client.end())
  await migrate({ url: serverUrl(TEMPLATE, server), roleSecret: TEST_ROLE_SECRET })
}

export interface TestDatabase {
  /** An administrator's URL, for checks that bypass the API. */
  url: string
  options: Omit<DatabaseOptions, 'login'>
  /** Runs one statement as the administrator. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** The same rows in a database of its own. Nobody may be connected to this one. */
  copy(): Promise<TestDatabase>
  /** How many connections wait for a lock. */
  countWaiting(): Promise<number>
  drop(): Promise<void>
}

/** Copies the migrated template: about 30 ms. */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `tendon_test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name} template ${template} strategy file_copy`)
  // Grants on the database itself are not copied; roles.sql revokes this one and grants it to one role.
  await administer(`revoke temporary on database ${name} from public`)
  await administer(`grant temporary on database ${name} to tendon_definer`)
  const url = serverUrl(name)
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  // What a test changes, the servers in its process notice as if they had changed it.
  pool.on('connect', watchRights)
  return {
    url,
    options: {
      url,
      roleSecret: TEST_ROLE_SECRET,
      poolSize: 10,
      platformPoolSize: 4,
      connectionWaitMs: 60_000,
      statementTimeoutMs: 5_000,
      longStatementTimeoutMs: 30_000,
    },
    async query(text, values) {
      return (await pool.query(text, values)).rows
    },
    copy: () => createTestDatabase(name),
    async countWaiting() {
      const waiting = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await administer(waiting, [name])).rows.length
    },
    async drop() {
      await pool.end()
      await closed(name)
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}

/** A pool ends before its connections do: one that is still closing would emit an unhandled error on the drop. */
async function closed(database: string): Promise<void> {
  for (let look = 0; look < CLOSE_POLLS; look += 1) {
    const { rowCount } = await administer('select 1 from pg_stat_activity where datname = $1', [database])
    if (rowCount === 0) return
    await delay(10)
  }
}
