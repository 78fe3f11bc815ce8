import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { startComposer } from '../testing.ts'

describe('a composer on a system that forbids user namespaces', { skip: NO_FFMPEG }, () => {
  const tools = mkdtempSync(join(tmpdir(), 'tendon-test-forbidden-'))
  after(() => rmSync(tools, { recursive: true }))

  test('a composer on a system that forbids user namespaces says so in its readiness and at the start of its worker, and how to allow them', async () => {
    const bwrap = join(tools, 'bwrap')
    writeFileSync(bwrap, '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n')
    chmodSync(bwrap, 0o755)
    const composer = await startComposer({ services: { ffmpeg: createFfmpeg(FFMPEG, { toolsPath: tools }) } })
    const { status, body } = await composer.call('GET', '/health/ready')
    assert.deepEqual([status, body.renderer.sandbox], [200, 'forbidden'])
    assert.match(body.renderer.message, /WITHOUT a sandbox, because the system forbids.*user\.max_user_namespaces/)
    const worker = await composer.work()
    await worker.stop()
    const warnings = composer.log.map((line) => JSON.parse(line)).filter(({ sandbox }) => sandbox === 'forbidden')
    assert.deepEqual(
      warnings.map(({ level, bwrap: said }) => [level, said]),
      [[40, 'bwrap: setting up uid map: Permission denied']],
    )
    await composer.close()
  })
})
