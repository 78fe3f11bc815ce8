import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { createFfmpeg, FfmpegFailed, type KillCause, ProgramMissing, untrustedInput } from './ffmpeg.ts'
import { box, manyStreams } from './hostile.testing.ts'

const skip = spawnSync('ffmpeg', ['-version']).status !== 0 && 'ffmpeg is not installed'
const REFUSED_WITHIN_MS = 2_000

describe('ffmpeg with files that strangers made', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-hostile-'))
  after(() => rmSync(folder, { recursive: true }))
  const killed: KillCause[] = []
  const ffmpeg = createFfmpeg('ffmpeg', { onKill: (cause) => killed.push(cause) })
  const file = (name: string, content: Buffer | string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const read = (from: string, format = 'mov') =>
    ffmpeg.run({
      args: [...untrustedInput(from, format, 120), '-map', '0:v:0', '-f', 'null', '-'],
      reads: [from],
      writes: folder,
      wallMs: 20_000,
      processorSeconds: 20,
    })

  const sample = () => {
    const to = join(folder, 'sample.mp4')
    const made = spawnSync(
      'ffmpeg',
      `-y -v error -f lavfi -i testsrc=size=64x64:duration=1 -threads 1 ${to}`.split(' '),
    )
    assert.equal(made.status, 0, made.stderr.toString())
    return readFileSync(to)
  }

  test('are refused within two seconds: cut off, enormous pictures, endless tables, many streams', async () => {
    const good = sample()
    const hostile: Record<string, Buffer> = {
      'cut off': good.subarray(0, good.length / 2),
      empty: Buffer.alloc(0),
      'no video at all': Buffer.from('<script>alert(1)</script>'.repeat(100)),
      'a table of four thousand million samples': endlessTable(good),
      '100,000 streams': manyStreams(100_000),
      'a box that claims more than the file has': box('moov', Buffer.alloc(8), 0x7fffffff),
    }
    for (const [name, content] of Object.entries(hostile)) {
      const began = performance.now()
      await assert.rejects(read(file('hostile', content)), FfmpegFailed, name)
      assert.ok(performance.now() - began < REFUSED_WITHIN_MS, `${name} took ${performance.now() - began} ms`)
    }
    await read(file('good.mp4', good))
  })

  test('cannot make it open another file or a connection', async () => {
    let connections = 0
    const server = createServer((_request, response) => void response.end())
    server.on('connection', () => void (connections += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ts`
    const secret = file('secret.mp4', sample())
    const scripts = {
      playlist: `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`,
      'local playlist': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
      concat: `ffconcat version 1.0\nfile ${secret}\nfile ${url}\n`,
    }
    for (const [name, content] of Object.entries(scripts))
      for (const format of ['mov', 'mp3'])
        await assert.rejects(read(file('script', content), format), FfmpegFailed, `${name} as ${format}`)
    // Whatever the file says: named as a playlist, it still reaches neither the network nor a protocol but file.
    await assert.rejects(read(file('named.m3u8', scripts.playlist), 'hls'), FfmpegFailed)
    server.close().closeAllConnections()
    assert.equal(connections, 0)
  })

  test('see neither other files nor a network where bubblewrap works', async (t) => {
    if (!(await ffmpeg.isolated())) return t.skip('bubblewrap is not installed or not allowed')
    const outside = mkdtempSync(join(tmpdir(), 'tendon-test-outside-'))
    writeFileSync(join(outside, 'secret.mp4'), sample())
    const bounds = { reads: [], writes: folder, wallMs: 20_000, processorSeconds: 20 }
    const args = ['-i', join(outside, 'secret.mp4'), '-f', 'null', '-']
    await assert.rejects(ffmpeg.run({ ...bounds, args }), /No such file/)
    await ffmpeg.run({ ...bounds, reads: [outside], args })
    rmSync(outside, { recursive: true })
  })

  test('are killed with everything that ffmpeg started, after their time or when told', async () => {
    const endless = { args: '-f lavfi -i testsrc=size=64x64 -f null -'.split(' '), reads: [], writes: folder }
    const slow = ffmpeg.run({ ...endless, wallMs: 300, processorSeconds: 60 })
    await assert.rejects(slow, (error) => error instanceof FfmpegFailed && error.killed === 'wall_time')
    const stopping = new AbortController()
    const run = ffmpeg.run({ ...endless, wallMs: 60_000, processorSeconds: 60, signal: stopping.signal })
    setImmediate(() => stopping.abort(new Error('cancelled')))
    await assert.rejects(run, /cancelled/)
    const busy = ffmpeg.run({ ...endless, wallMs: 60_000, processorSeconds: 1 })
    await assert.rejects(busy, (error) => error instanceof FfmpegFailed && error.killed !== null)
    assert.deepEqual(killed, ['wall_time', 'aborted', 'processor_time'])
  })

  test('do not outlive the process that started ffmpeg', async () => {
    const script = `import { createFfmpeg } from ${JSON.stringify(join(import.meta.dirname, 'ffmpeg.ts'))}
      const run = { args: '-f lavfi -i testsrc=size=64x64 -f null -metadata comment=${folder} -'.split(' '), reads: [] }
      await createFfmpeg('ffmpeg').run({ ...run, writes: ${JSON.stringify(folder)}, wallMs: 60_000, processorSeconds: 60 })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    const running = () =>
      spawnSync('pgrep', ['-f', `comment=${folder}`])
        .stdout.toString()
        .trim() !== ''
    await until(running)
    child.kill('SIGKILL')
    await until(() => !running())
  })
})

function endlessTable(good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  const table = bytes.indexOf('stsz')
  bytes.writeUInt32BE(0xffffffff, table + 12)
  return bytes
}

test('a missing ffmpeg is named', async () => {
  const missing = createFfmpeg('/nowhere/ffmpeg')
  await assert.rejects(missing.version(), ProgramMissing)
  const run = { args: [], reads: [], writes: tmpdir(), wallMs: 1_000, processorSeconds: 1 }
  await assert.rejects(missing.run(run), /\/nowhere\/ffmpeg is not installed/)
})
