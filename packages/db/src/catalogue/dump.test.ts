import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { installedBinaries, startTemporaryPostgres, TEST_ROLE_SECRET } from '@tendon/testing'
import { Client, type QueryResultRow } from 'pg'
import { migrate } from '../migrate.ts'
import { checkDatabase } from './index.ts'

const run = promisify(execFile)

describe('a restored dump', () => {
  // PostgreSQL prints some expressions differently after a restore; such a definition would stop every server.
  test('has the structure that a server expects', async (t) => {
    const binaries = installedBinaries(15)
    if (binaries === undefined) return t.skip('postgresql-15 is not installed')
    const postgres = await startTemporaryPostgres({ binaries })
    t.after(() => postgres.remove())
    const restored = new URL(postgres.url)
    restored.pathname = '/restored'
    const dump = join(postgres.dataDir, 'dump')
    await migrate({ url: postgres.url, roleSecret: TEST_ROLE_SECRET })
    await run(join(binaries, 'pg_dump'), ['--format=custom', `--file=${dump}`, postgres.url])
    await run(join(binaries, 'createdb'), [`--maintenance-db=${postgres.url}`, 'restored'])
    await run(join(binaries, 'pg_restore'), ['--exit-on-error', `--dbname=${restored.href}`, dump])
    await migrate({ url: restored.href, roleSecret: TEST_ROLE_SECRET })
    const client = new Client({ connectionString: restored.href })
    await client.connect()
    try {
      const query = async <Row extends object>(text: string) => (await client.query<Row & QueryResultRow>(text)).rows
      assert.deepEqual(await checkDatabase(query), { problems: [], warnings: [] })
    } finally {
      await client.end()
    }
  })
})
