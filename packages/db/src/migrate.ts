import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations as runWorkerMigrations } from 'graphile-worker'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
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
    await prepareRoles(client, databaseDir, roleSecret)
    await migrateJobs(client, urlFor('tendon_worker', url, roleSecret))
    const applied = await applyMigrations(client, join(databaseDir, 'migrations'), onProgress)
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

async function applyMigrations(client: Client, folder: string, onProgress: (line: string) => void): Promise<string[]> {
  await client.query(`create table if not exists migrations (
    name text primary key, applied_at timestamptz not null default now())`)
  await client.query('alter table migrations owner to tendon_owner')
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const done = new Set(rows.map((row) => row.name))
  const waiting = (await sqlFiles(folder)).filter((name) => !done.has(name))
  for (const name of waiting) {
    onProgress(`migration ${name}`)
    await runAs(client, 'tendon_owner', await readFile(join(folder, name), 'utf8'), name, [
      'insert into migrations (name) values ($1)',
      [name],
    ])
  }
  return waiting
}

/** Seeds may run again at every deployment: they state what must be there. */
async function applySeeds(client: Client, folder: string): Promise<void> {
  for (const name of await sqlFiles(folder)) {
    await runAs(client, 'tendon_definer', await readFile(join(folder, name), 'utf8'), name)
  }
}

async function runAs(
  client: Client,
  role: string,
  sql: string,
  file: string,
  mark?: [string, unknown[]],
): Promise<void> {
  await client.query('begin')
  try {
    // A function can only be given to a role that may create; the worker may inside this transaction and never else.
    await client.query(`grant create on schema public to tendon_worker`)
    await client.query(`set local role ${role}; set local search_path = public`)
    await client.query(sql)
    if (mark) await client.query(...mark)
    await client.query('reset role; revoke create on schema public from tendon_worker')
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`${file} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}
