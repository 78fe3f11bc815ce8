import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations as runWorkerMigrations } from 'graphile-worker'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { type Applied, assertUnchanged, checksumOf, readSqlFiles, type SqlFile } from './migration-files.ts'
import { LOGINS, passwordOf, urlFor } from './roles.ts'

// Plain SQL, forward only. One session holds an advisory lock for the whole run, so that servers that start at once take
// turns; each file and its mark commit together, so that a kill half-way leaves whole migrations only.

const DATABASE_DIR = join(import.meta.dirname, '../../../database')
const LOCK = 7_236_283_001

export interface MigrateOptions {
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
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const files = await readSqlFiles(join(databaseDir, 'migrations'))
    const done = await listApplied(client)
    assertUnchanged(files, done)
    await prepareRoles(client, databaseDir, roleSecret)
    await migrateJobs(client, urlFor('tendon_worker', url, roleSecret))
    const applied = await applyMigrations(client, files, done, onProgress)
    await applySeeds(client, join(databaseDir, 'seed'))
    return applied
  } finally {
    await client.end()
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

/** Read as JSON, since a database of an earlier release has no checksums. */
async function listApplied(client: Client): Promise<Applied[]> {
  const { rows: tables } = await client.query(`select 1 where to_regclass('migrations') is not null`)
  if (tables.length === 0) return []
  return (await client.query<Applied>(`select name, to_jsonb(m) ->> 'checksum' as checksum from migrations m`)).rows
}

async function applyMigrations(
  client: Client,
  files: readonly SqlFile[],
  done: readonly Applied[],
  onProgress: (line: string) => void,
): Promise<string[]> {
  await client.query(`create table if not exists migrations (
    name text primary key, applied_at timestamptz not null default now())`)
  await client.query('alter table migrations add column if not exists checksum text')
  await client.query('alter table migrations owner to tendon_owner')
  const names = new Set(done.map(({ name }) => name))
  const unsigned = new Set(done.flatMap(({ name, checksum }) => (checksum === null ? [name] : [])))
  for (const file of files.filter(({ name }) => unsigned.has(name))) {
    // What was applied cannot be known any more; from now on it is what the file says.
    await client.query('update migrations set checksum = $2 where name = $1', [file.name, checksumOf(file)])
  }
  const waiting = files.filter(({ name }) => !names.has(name))
  for (const file of waiting) {
    onProgress(`migration ${file.name}`)
    await runAs(client, 'tendon_owner', file, [
      'insert into migrations (name, checksum) values ($1, $2)',
      [file.name, checksumOf(file)],
    ])
  }
  return waiting.map(({ name }) => name)
}

/** Seeds may run again at every deployment: they state what must be there. */
async function applySeeds(client: Client, folder: string): Promise<void> {
  for (const file of await readSqlFiles(folder)) await runAs(client, 'tendon_definer', file)
}

async function runAs(client: Client, role: string, file: SqlFile, mark?: [string, unknown[]]): Promise<void> {
  await client.query('begin')
  try {
    // A function can only be given to a role that may create; the worker may inside this transaction and never else.
    await client.query(`grant create on schema public to tendon_worker`)
    await client.query(`set local role ${role}; set local search_path = public`)
    await client.query(file.text)
    if (mark) await client.query(...mark)
    await client.query('reset role; revoke create on schema public from tendon_worker')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`${file.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
