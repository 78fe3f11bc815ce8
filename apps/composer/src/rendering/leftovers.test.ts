import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openCache } from './cache.ts'

const NO_PROC = platform() === 'linux' ? false : 'there is no /proc'

describe('processes that a dead process left', { skip: NO_PROC }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-leftovers-'))
  after(() => rmSync(folder, { recursive: true }))

  test('processes that a dead process left are killed with its folder; those of a live one stay', async () => {
    const cache = await openCache(folder)
    const dead = join(folder, 'work', '4194304-dead')
    mkdirSync(dead)
    const waitsIn = async (path: string) => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(1)', path])
      await once(child.stdout, 'data') // its command line can be read
      return child
    }
    const [left, own] = [await waitsIn(dead), await waitsIn(await cache.workFolder())]
    const ended = once(left, 'exit')
    await cache.sweep(0)
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.equal(own.exitCode, null)
    assert.equal(own.signalCode, null)
    own.kill('SIGKILL')
    await once(own, 'exit')
  })
})
