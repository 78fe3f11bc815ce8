import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations as runWorkerMigrations } from 'graphile-worker'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { messageOf } from './error-message.ts'
import { applyFunctions, createMissingFunctions } from './function-files.ts'
import {
  type Applied,
  assertUnchanged,
  checksumOf,
  isNewer,
  readSqlFile,
  readSqlFiles,
  type SqlFile,
} from './migration-files.ts'
import { OUTSIDE_TRANSACTION } from './migration-rules.ts'
import { LOGINS, passwordOf, urlFor } from './roles.ts'
import { splitStatements } from './sql-statements.ts'

// Plain SQL, forward only. One session holds an advisory lock for the whole run, so that servers that start at once take
// turns; each file and its row in `migrations` commit together, so that a kill half-way leaves whole migrations only.

const DATABASE_DIR = join(import.meta.dirname, '../../../database')
const LOCK = 7_236_283_001
const LOCK_POLL_MS = 50
/** While a statement waits for the lock of a table, every later query of that table waits behind it. */
const TABLE_LOCK_TIMEOUT_MS = 2_000
const TABLE_LOCK_PAUSE_MS = 1_000
const MAX_TABLE_LOCK_TRIES = 200
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

interface MigrateOptions {
  /** An administrator's login: superuser, or one that may create roles and grant BYPASSRLS. */
  url: string
  roleSecret: string
  databaseDir?: string
  onProgress?: (line: string) => void
}

export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, roleSecret, databaseDir = DATABASE_DIR, onProgress = () => {} } = options
  const client = new Client({ connectionString: url, application_name: 'tendon_migrate' })
  await client.connect()
  try {
    await acquireLock(client)
    const files = await readSqlFiles(join(databaseDir, 'migrations'))
    const functions = await readSqlFiles(join(databaseDir, 'functions'))
    const former = await readSqlFile(databaseDir, 'former-functions.sql')
    const done = await listApplied(client)
    assertUnchanged(files, done)
    await prepareRoles(client, databaseDir, roleSecret)
    await migrateJobs(client, urlFor('tendon_worker', url, roleSecret))
    await createBookkeeping(client)
    const names = new Set(done.map(({ name }) => name))
    const pending = files.filter(({ name }) => !names.has(name))
    await createMissingFunctions(client, { files: functions, former, pending }, asOwner)
    await applyMigrations(client, pending, onProgress)
    const applied = pending.map(({ name }) => name)
    // The functions and seeds of a newer release stay: its servers are running.
    if (isNewer(files, done)) return applied
    for (const name of await applyFunctions(client, functions, asOwner)) onProgress(`functions ${name}`)
    await applySeeds(client, join(databaseDir, 'seed'))
    return applied
  } finally {
    await client.end()
  }
}

/** Asks again and again: a statement that waits for the lock would itself be waited for by "create index concurrently". */
async function acquireLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [LOCK])
    if (rows[0]?.is_mine) return
    await delay(LOCK_POLL_MS)
  }
}

async function prepareRoles(client: Client, databaseDir: string, roleSecret: string): Promise<void> {
  // Roles belong to the whole cluster: servers of other databases in it may be doing the same. An advisory lock does not
  // reach them; the grants of roles to roles in roles.sql do, and hold until the commit.
  await client.query('begin; select pg_advisory_xact_lock(7236283000)')
  await client.query(await readFile(join(databaseDir, 'roles.sql'), 'utf8'))
  for (const login of LOGINS) {
    await client.query(`alter role ${login} password ${escapeLiteral(passwordOf(login, roleSecret))}`)
  }
  await client.query('commit')
}

/** At its first start graphile-worker asks to create its schema even though it is there; only then the worker may. */
async function migrateJobs(client: Client, workerUrl: string): Promise<void> {
  const database = escapeIdentifier(client.database ?? '')
  const { rows } = await client.query(`select 1 where to_regclass('graphile_worker.migrations') is null`)
  if (rows.length > 0) await client.query(`grant create on database ${database} to tendon_worker`)
  await runWorkerMigrations({ connectionString: workerUrl, schema: 'graphile_worker' })
  await client.query(`revoke create on database ${database} from tendon_worker`)
}

async function listApplied(client: Client): Promise<Applied[]> {
  const { rows: tables } = await client.query(`select 1 where to_regclass('migrations') is not null`)
  if (tables.length === 0) return []
  // As JSON: databases from before the baseline may have no checksums.
  return (await client.query<Applied>(`select name, to_jsonb(m) ->> 'checksum' as checksum from migrations m`)).rows
}

async function createBookkeeping(client: Client): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  // Every text that a file ever had: a server of an older release then knows that the database is newer than itself.
  await client.query(`create table if not exists function_files (
    name text not null, checksum text not null, is_current boolean not null, applied_at timestamptz not null default now(),
    primary key (name, checksum))`)
  await client.query('alter table migrations owner to tendon_owner; alter table function_files owner to tendon_owner')
  await client.query('grant select on migrations, function_files to tendon_definer')
}

async function applyMigrations(
  client: Client,
  pending: readonly SqlFile[],
  onProgress: (line: string) => void,
): Promise<void> {
  for (const file of pending) {
    onProgress(`migration ${file.name}`)
    await (file.text.startsWith(OUTSIDE_TRANSACTION) ? runOutside(client, file) : runInside(client, file, onProgress))
  }
}

const MARK = 'insert into migrations (name, checksum) values ($1, $2)'
const failed = (file: SqlFile) => (error: unknown) => {
  throw new Error(`${file.name} failed: ${messageOf(error)}`, { cause: error })
}

/** Tries again when a table stays locked by a long transaction, and lets waiting queries run in between. */
async function runInside(client: Client, file: SqlFile, onProgress: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const problem = await runAs(client, 'tendon_owner', async () => {
      await client.query(`set local lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`)
      await client.query(file.text)
      await client.query(MARK, [file.name, checksumOf(file)])
    }).catch((error: Error & { code?: string }) => error)
    if (!problem) return
    const isLocked = problem.code === LOCK_NOT_AVAILABLE || problem.code === DEADLOCK
    if (!isLocked || attempt === MAX_TABLE_LOCK_TRIES) failed(file)(problem)
    onProgress(`migration ${file.name} waits for a lock`)
    await delay(TABLE_LOCK_PAUSE_MS)
  }
}

/** For `create index concurrently`. A kill between the statements repeats them: the first one drops what is half made. */
async function runOutside(client: Client, file: SqlFile): Promise<void> {
  await client.query('set role tendon_owner; set search_path = public')
  try {
    for (const statement of splitStatements(file.text)) await client.query(statement)
    await client.query(MARK, [file.name, checksumOf(file)])
  } catch (error) {
    failed(file)(error)
  } finally {
    await client.query('reset role; reset search_path')
  }
}

/** Seeds run at every deployment: they say what must be there. */
async function applySeeds(client: Client, folder: string): Promise<void> {
  for (const file of await readSqlFiles(folder)) {
    await runAs(client, 'tendon_definer', () => client.query(file.text)).catch(failed(file))
  }
}

const asOwner = <Result>(client: Client, work: () => Promise<Result>): Promise<Result> =>
  runAs(client, 'tendon_owner', work)

async function runAs<Result>(client: Client, role: string, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    // A function can only be given to a role that may create in the schema; the worker may in this transaction only.
    await client.query(`grant create on schema public to tendon_worker`)
    await client.query(`set local role ${role}; set local search_path = public`)
    const result = await work()
    await client.query('reset role; revoke create on schema public from tendon_worker')
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
