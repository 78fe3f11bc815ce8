import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestDatabase } from '@tendon/testing'
import { listStale } from './files.ts'
import { openSource } from './source.ts'

describe('generated files', () => {
  test('generated files are what "npm run generate" would write', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const source = await openSource(database.url)
    const stale = await listStale(source).finally(() => source.close())
    assert.deepEqual(
      stale.map(({ path }) => path),
      [],
      'Run "npm run generate" and look at what changes.',
    )
  })
})
