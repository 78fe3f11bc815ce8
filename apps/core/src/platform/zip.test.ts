import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { findProgram, soakRuns, soakSeed } from '@tendon/testing'
import * as fc from 'fast-check'
import { unzip } from './zip.testing.ts'
import { type ZipEntry, zip } from './zip.ts'

const AT = new Date('2026-11-15T09:30:21Z')
const write = (entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>) => buffer(zip(entries, AT))
const entry = (name: string, ...chunks: (string | Uint8Array)[]): ZipEntry => ({
  name,
  content: chunks.map((chunk) => Buffer.from(chunk)),
})
const NO_READER = findProgram('unzip', 'python3') === undefined && 'neither unzip nor python3 on this machine'

describe('zip', () => {
  test('an archive contains what was written, with any names and chunk sizes', async () => {
    const segment = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .filter((text) => !/[/\\\0]|^\.+$/.test(text))
    const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 })
    const entries = fc.uniqueArray(fc.tuple(name, chunks), { selector: ([one]) => one, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const file = await write(given.map(([one, content]) => entry(one, ...content)))
        const expected = given.map(([one, content]) => [one, Buffer.concat(content)] as const)
        assert.deepEqual([...unzip(file)], expected)
      }),
      { numRuns: soakRuns(100), seed: soakSeed() },
    )
  })

  test('the same entries and date give the same bytes', async () => {
    const two = () => write([entry('a', '1'), entry('b', '2')])
    assert.deepEqual(await two(), await two())
  })

  test('other programs read it', { skip: NO_READER }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tendon-zip-'))
    try {
      const path = join(folder, 'a.zip')
      const big = Buffer.alloc(3_000_000, 'Mlădița ')
      await writeFile(path, await write([entry('empty'), entry('fișă/ț.txt', 'șase'), entry('big.bin', big)]))
      if (findProgram('unzip')) {
        execFileSync('unzip', ['-t', path])
        execFileSync('unzip', ['-q', path, 'big.bin', '-d', folder])
        assert.ok(big.equals(await readFile(join(folder, 'big.bin'))))
      }
      if (findProgram('python3')) {
        const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print([(i.filename, i.file_size, i.date_time) for i in z.infolist()])`
        assert.equal(
          execFileSync('python3', ['-c', script, path], {
            encoding: 'utf8',
            env: { ...process.env, PYTHONIOENCODING: 'utf8' },
          }).trim(),
          `[('empty', 0, (2026, 11, 15, 9, 30, 20)), ('fișă/ț.txt', 5, (2026, 11, 15, 9, 30, 20)), ('big.bin', 3000000, (2026, 11, 15, 9, 30, 20))]`,
        )
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('an entry is read only after the one before is written, so that it can describe it', async () => {
    const log: string[] = []
    async function* contents(): AsyncGenerator<ZipEntry> {
      yield {
        name: 'a',
        content: (async function* () {
          log.push('a begins')
          yield Buffer.from('1')
          log.push('a ends')
        })(),
      }
      log.push('next')
      yield entry('b', log.join(', '))
    }
    const file = unzip(await write(contents()))
    assert.equal(file.get('b')?.toString(), 'a begins, a ends, next')
  })

  test('nothing is buffered: a reader who stops ends the source', async () => {
    let made = 0
    let ended = false
    async function* endless() {
      try {
        for (;;) {
          made += 1
          yield crypto.getRandomValues(new Uint8Array(65_536))
        }
      } finally {
        ended = true
      }
    }
    let taken = 0
    for await (const chunk of zip([{ name: 'endless', content: endless() }], AT)) {
      taken += chunk.length
      if (taken > 5_000_000) break
    }
    assert.ok(made < 100, `${made} chunks were made`)
    await new Promise(setImmediate)
    assert.ok(ended)
  })

  test('an error of the content is an error of the archive', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new RangeError('lost')
    }
    await assert.rejects(write([{ name: 'a', content: broken() }]), RangeError)
  })

  test('an error before the first read is passed to the reader', async () => {
    const archive = zip([entry('../a')], AT)
    await new Promise((resolve) => archive.once('close', resolve))
    await assert.rejects(archive.toArray(), /not a valid name/)
  })

  test('names outside the folder are refused', async () => {
    for (const name of ['', '/a', '../a', 'a/../b', 'a//b', 'a\\b', 'a/', './a', 'a\0', '\ud800', 'x'.repeat(1_001)]) {
      await assert.rejects(write([entry(name)]), /not a valid name/, name)
    }
  })
})
