import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createTestDatabase, processEnv, TEST_ROLE_SECRET } from '@tendon/testing'
import { complaintAbout } from '../testing/process.ts'
import { startServer } from './start-server.ts'

const ROOT = join(import.meta.dirname, '../../../..')
// Nothing listens on port 1.
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'

function complaintOf(entry: string, env: Record<string, string>): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', join(ROOT, entry)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...processEnv(), ...env } }, (error, _out, complaint) => {
      assert.equal(error?.code, 1, complaint)
      assert.doesNotMatch(complaint, /\n\s+at /)
      resolve(complaint)
    })
  })
}

describe('errors that the operator can fix are reported in words, without a stack', { concurrency: true }, () => {
  test('a wrong setting is named with what it must be', async () => {
    const words = 'The configuration is invalid:\n  - CORE_PORT must be a whole number from 0 to 65535'
    assert.equal(await complaintAbout(startServer({ CORE_PORT: 'many' })), words)
  })

  test('an invalid key is named with what it must be, without a stack', async () => {
    const complaint = await complaintAbout(startServer({ DATABASE_URL, KEYRING: `k1:${'x'.repeat(40)}` }))
    assert.match(complaint, /^KEYRING entry 1: the key must be 32 bytes in base64/)
    assert.doesNotMatch(complaint, /\n\s+at /)
  })

  test('a database that was never migrated, and one that was changed by hand', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const variables = { DATABASE_URL: database.url, DATABASE_ROLE_SECRET: TEST_ROLE_SECRET }
    await database.query('alter policy humans_select on humans using (true)')
    const changed = await complaintAbout(startServer(variables))
    assert.match(changed, /^The database does not have the expected structure\..*\nWhat to do: docs\/operations\//s)
    assert.doesNotMatch(changed, /\n\s+at /)
    await database.query('alter function applied_files() rename to files_of_another_program')
    assert.match(await complaintAbout(startServer(variables)), /^The database is not ready\. .*npm run migrate/)
  })

  test('a database that does not answer is named, by servers and by migrate', async () => {
    assert.match(await complaintOf('apps/core/src/server.ts', { DATABASE_URL }), /^The database is not ready\. /)
    const migration = await complaintOf('scripts/migrate.ts', { DATABASE_URL })
    assert.match(migration, /^The migration failed: connect ECONNREFUSED.*\. Check that PostgreSQL runs/)
  })
})
