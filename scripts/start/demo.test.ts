import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '@tendon/config'
import { createTestDatabase, portOf, TEST_ROLE_SECRET } from '@tendon/testing'
import { DemoIncomplete, seedDemo } from './demo.ts'

test('a demo clinic that a busy core API never takes: the start says why, and what to do next', async (t) => {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tendon-test-demo-'))
  const server = createServer((_request, response) => {
    response.writeHead(503, { 'retry-after': '1' }).end('{"error":{"code":"unavailable"}}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close().closeAllConnections()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    CORE_PORT: String(portOf(server)),
  })
  const lines: string[] = []
  const seeding = seedDemo(config, database.url, (line) => lines.push(line), { maxWaitMs: 1_000 })
  await assert.rejects(seeding, (error: Error) => {
    assert.ok(error instanceof DemoIncomplete)
    assert.match(error.message, /answered 503.*\nRun the same command again: it continues there\..* core\.log in /)
    return true
  })
  assert.deepEqual(lines, ['the core API is busy and asks to wait 1 s'])
})
