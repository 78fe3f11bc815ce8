import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { FFMPEG, NO_FFMPEG } from '@tendon/testing'
import { createFfmpeg, FfmpegFailed, HostError } from '@tendon/video-host'
import { BadClip } from '../rendering/clips.ts'
import { assertRoom, isDiskFull } from '../rendering/disk.ts'
import { failureOf, waitAfter } from './retry-rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('an attempt that failed is repeated after ten seconds, a minute and ten minutes, a bad clip never', () => {
  const waits = (error: unknown) => [1, 2, 3, 4].map((attempts) => waitAfter(error, attempts, 0)?.ms)
  for (const error of [new Error('any'), new HostError('broken', 500)])
    assert.deepEqual(waits(error), [10_000, 60_000, 600_000, undefined])
  assert.equal(waitAfter(new HostError('broken', 500), 1, 0)?.for, 'host')
  assert.equal(waitAfter(new Error('any'), 1, 0)?.for, null)
  assert.deepEqual(waits(new BadClip('a', 'b')), [undefined, undefined, undefined, undefined])
})

test('a host that asks to wait is waited for without counting the attempt, for a day', () => {
  const busy = new HostError('busy', 429, { retryAfterMs: 1_800_000 })
  for (const attempts of [1, 4, 11])
    assert.deepEqual(waitAfter(busy, attempts, 0), { ms: 1_800_000, for: 'host', counts: false })
  assert.equal(waitAfter(new HostError('busy', 429, { retryAfterMs: 0 }), 1, 0)?.ms, 1_000)
  assert.equal(waitAfter(busy, 1, DAY_MS), undefined)
  assert.equal(failureOf(busy).code, 'host_failed')
})

test('a full disk is looked at every minute, for a day', () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
  assert.deepEqual(waitAfter(full, 9, 0), { ms: 60_000, for: 'disk', counts: false })
  assert.deepEqual([waitAfter(full, 1, DAY_MS), failureOf(full).code], [undefined, 'disk_full'])
})

test('a full disk is known from a write, from its cause and from the room that is left', async () => {
  // The device that is always full.
  const failed = await writeFile('/dev/full', 'x').catch((error: unknown) => error)
  assert.ok(isDiskFull(failed))
  assert.ok(isDiskFull(new Error('upload', { cause: failed })))
  assert.ok(isDiskFull(Object.assign(new Error('quota'), { code: 'EDQUOT' })))
  for (const other of [new Error('No space left on device'), Object.assign(new Error('x'), { code: 'EIO' }), undefined])
    assert.equal(isDiskFull(other), false)
  await assertRoom(tmpdir(), 0)
  await assert.rejects(assertRoom(tmpdir(), Number.MAX_SAFE_INTEGER), isDiskFull)
})

test('a full disk is known from what ffmpeg says', { skip: NO_FFMPEG }, async () => {
  const folder = mkdtempSync(`${tmpdir()}/tendon-test-full-`)
  const args = '-f lavfi -i testsrc=size=640x480:duration=2 -f rawvideo /dev/full'.split(' ')
  const bounds = { reads: [], writes: folder, wallMs: 20_000, processorSeconds: 20 }
  await assert.rejects(
    createFfmpeg(FFMPEG).run({ ...bounds, args }),
    (error) => error instanceof FfmpegFailed && isDiskFull(error),
  )
  rmSync(folder, { recursive: true })
})
