import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { installedBinaries, startTemporaryPostgres, TEST_ROLE_SECRET, type TemporaryPostgres } from '@tendon/testing'
import { Client, type QueryResultRow } from 'pg'
import { migrate } from '../migrate.ts'
import { checkDatabase } from './index.ts'

const run = promisify(execFile)

const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href

/** Runs the statements as the administrator, and answers with what a server would say at its start. */
async function check(url: string, ...statements: string[]) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
    const query = async <Row extends object>(text: string) => (await client.query<Row & QueryResultRow>(text)).rows
    return await checkDatabase(query)
  } finally {
    await client.end()
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

describe('a restored dump of PostgreSQL 15 has the structure that a server expects', () => {
  const binaries = installedBinaries(15)
  const options = binaries === undefined ? { skip: 'postgresql-15 is not installed' } : {}
  const NOTHING = { problems: [], warnings: [] }
  let older: TemporaryPostgres
  let dump: string

  before(async () => {
    if (binaries === undefined) return
    older = await startTemporaryPostgres({ binaries })
    dump = join(older.dataDir, 'dump')
    await migrate({ url: older.url, roleSecret: TEST_ROLE_SECRET })
    await run(join(binaries, 'pg_dump'), ['--format=custom', `--file=${dump}`, older.url])
  })
  after(() => older?.remove())

  const restore = (url: string) => run(join(binaries ?? '', 'pg_restore'), ['--exit-on-error', `--dbname=${url}`, dump])

  // PostgreSQL prints some expressions differently after a restore; such a definition would stop every server.
  test('in a cluster of the same version', options, async () => {
    const url = at(older.url, 'restored')
    await execute(older.url, 'create database restored')
    await restore(url)
    await migrate({ url, roleSecret: TEST_ROLE_SECRET })
    assert.deepEqual(await check(url), NOTHING)
  })

  // Its defaults still call our own uuidv7(), and after pg_upgrade the extensions are those of before.
  test('in a cluster of PostgreSQL 18, also after functions are applied again', options, async (t) => {
    const newer = await startTemporaryPostgres()
    t.after(() => newer.remove())
    const url = at(newer.url, 'restored')
    await execute(newer.url, await readFile(join(import.meta.dirname, '../../../../database/roles.sql'), 'utf8'))
    await execute(newer.url, 'create database restored')
    await execute(url, `create extension citext version '1.6'; create extension btree_gist version '1.7'`)
    await restore(url)
    await migrate({ url, roleSecret: TEST_ROLE_SECRET })
    assert.deepEqual(await check(url), NOTHING)
    await execute(url, 'update function_files set is_current = false')
    await migrate({ url, roleSecret: TEST_ROLE_SECRET })
    assert.deepEqual(await check(url), NOTHING)
    const { problems } = await check(url, 'alter function public.uuidv7() security definer')
    assert.match(
      problems.join('\n'),
      /^function uuidv7\(\) \("owner tendon_owner, security definer, .*is not part of this release$/m,
    )
  })
})
