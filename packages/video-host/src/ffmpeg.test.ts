import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  FFMPEG,
  harmlessVideo,
  hostileScripts,
  hostileVideos,
  NO_FFMPEG,
  peakUse,
  portOf,
  processesWith,
  until,
} from '@tendon/testing'
import { createFfmpeg, FfmpegFailed, ProgramMissing, untrustedInput } from './ffmpeg.ts'
import type { KillCause } from './processes.ts'

const EARLY_KILLS = 6
const REFUSED_WITHIN_PROCESSOR_SECONDS = 2
const REFUSED_WITHIN_BYTES = 512 * 1024 * 1024

describe('ffmpeg with files that strangers made', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-hostile-'))
  after(() => rmSync(folder, { recursive: true }))
  const killed: KillCause[] = []
  const ffmpeg = createFfmpeg(FFMPEG, { onKill: (cause) => killed.push(cause) })
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

  const good = NO_FFMPEG ? Buffer.alloc(0) : harmlessVideo()

  test('files that strangers made are refused within two seconds and with bounded memory', async () => {
    for (const [name, content] of Object.entries(hostileVideos())) {
      const path = file('hostile', content)
      const { bytes, processorSeconds } = await peakUse(path, () => assert.rejects(read(path), FfmpegFailed, name))
      assert.ok(processorSeconds < REFUSED_WITHIN_PROCESSOR_SECONDS, `${name} took ${processorSeconds} s`)
      assert.ok(bytes < REFUSED_WITHIN_BYTES, `${name} took ${bytes} bytes`)
    }
    await read(file('good.mp4', good))
  })

  test('files that strangers made cannot make ffmpeg open another file or a connection', async () => {
    let connections = 0
    const server = createServer((_request, response) => void response.end())
    server.on('connection', () => void (connections += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${portOf(server)}/a.ts`
    const scripts = hostileScripts(url, file('secret.mp4', good))
    for (const [name, content] of Object.entries(scripts))
      for (const format of ['mov', 'matroska', 'mp3'])
        await assert.rejects(read(file('script', content), format), FfmpegFailed, `${name} as ${format}`)
    // Also when read as a playlist, and without bubblewrap: only the file protocol is allowed.
    const playlist = file('named.m3u8', scripts['a playlist with a URL'] ?? '')
    await assert.rejects(read(playlist, 'hls'), FfmpegFailed)
    const alone = spawnSync('ffmpeg', [...untrustedInput(playlist, 'hls', 120), '-f', 'null', '-'])
    assert.match(alone.stderr.toString(), /Protocol 'http' not on whitelist 'file'/)
    server.close().closeAllConnections()
    assert.equal(connections, 0)
  })

  test('each ffmpeg gets limits of memory, processor time, file size and open files', async () => {
    const endless = `-f lavfi -i testsrc=size=64x64 -metadata comment=${folder}/limits -f null -`.split(' ')
    const stopping = new AbortController()
    const bounds = { reads: [], writes: folder, wallMs: 60_000, processorSeconds: 60, signal: stopping.signal }
    const run = ffmpeg.run({ ...bounds, args: endless })
    const running = await until(() =>
      processesWith(`comment=${folder}/limits`).find(({ command }) => /^[^\0]*ffmpeg\0/.test(command)),
    )
    const names = ['Max address space', 'Max cpu time', 'Max file size', 'Max open files', 'Max core file size']
    assert.deepEqual(names.map(running.limit), ['3000000000', '60', '2000000000', '64', '0'])
    stopping.abort(new Error('seen'))
    await assert.rejects(run, /seen/)
    killed.length = 0
  })

  test('see neither other files nor a network where bubblewrap works', async (t) => {
    if ((await ffmpeg.isolation()).isolation !== 'full') return t.skip('bubblewrap is not installed or not allowed')
    const outside = mkdtempSync(join(tmpdir(), 'tendon-test-outside-'))
    writeFileSync(join(outside, 'secret.mp4'), good)
    const bounds = { reads: [], writes: folder, wallMs: 20_000, processorSeconds: 20 }
    const args = ['-i', join(outside, 'secret.mp4'), '-f', 'null', '-']
    await assert.rejects(ffmpeg.run({ ...bounds, args }), /No such file/)
    await ffmpeg.run({ ...bounds, reads: [outside], args })
    rmSync(outside, { recursive: true })
  })

  test('files that strangers made are read without bubblewrap, prlimit and setpriv too, still without a connection and killed after their time', async () => {
    const alone = createFfmpeg(FFMPEG, { toolsPath: '/nowhere' })
    assert.equal((await alone.isolation()).isolation, 'not_installed')
    const bounds = { reads: [], writes: folder, wallMs: 20_000, processorSeconds: 20 }
    const show = (from: string, format: string) => [...untrustedInput(from, format, 120), '-f', 'null', '-']
    await alone.run({ ...bounds, args: show(file('alone.mp4', good), 'mov') })
    const playlist = file('alone.m3u8', hostileScripts('http://127.0.0.1:9/a.ts', '')['a playlist with a URL'] ?? '')
    await assert.rejects(alone.run({ ...bounds, args: show(playlist, 'hls') }), /not on whitelist 'file'/)
    const endless = '-f lavfi -i testsrc=size=64x64 -f null -'.split(' ')
    const slow = alone.run({ ...bounds, args: endless, wallMs: 300 })
    await assert.rejects(slow, (error) => error instanceof FfmpegFailed && error.killed === 'wall_time')
  })

  test('programs that read files of strangers are killed with everything that ffmpeg started, after their time or when told', async () => {
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

  test('an ffmpeg does not outlive the process that started ffmpeg', async () => {
    const script = `import { createFfmpeg } from ${JSON.stringify(join(import.meta.dirname, 'ffmpeg.ts'))}
      const run = { args: '-f lavfi -i testsrc=size=64x64 -f null -metadata comment=${folder} -'.split(' '), reads: [] }
      await createFfmpeg(${JSON.stringify(FFMPEG)}).run({ ...run, writes: ${JSON.stringify(folder)}, wallMs: 60_000, processorSeconds: 60 })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    const running = () => processesWith(`comment=${folder}`).some(({ command }) => /^[^\0]*ffmpeg\0/.test(command))
    await until(running)
    child.kill('SIGKILL')
    await until(() => !running())
  })

  test('an ffmpeg does not outlive a process that is killed while it starts ffmpeg', async () => {
    // The programs have just been started when the process kills itself.
    const script = `import { createFfmpeg } from ${JSON.stringify(join(import.meta.dirname, 'ffmpeg.ts'))}
      const ffmpeg = createFfmpeg(${JSON.stringify(FFMPEG)})
      await ffmpeg.isolation()
      const run = { args: '-f lavfi -i testsrc=size=64x64 -f null -metadata comment=early-${folder} -'.split(' '), reads: [] }
      for (let count = 0; count < 8; count += 1)
        void ffmpeg.run({ ...run, writes: ${JSON.stringify(folder)}, wallMs: 60_000, processorSeconds: 60 })
      setImmediate(() => process.kill(process.pid, 'SIGKILL'))`
    for (let round = 0; round < EARLY_KILLS; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
      const [, signal] = await once(child, 'exit')
      assert.equal(signal, 'SIGKILL')
    }
    const isBwrap = ({ command }: { command: string }) => /^[^\0]*bwrap\0/.test(command)
    await until(() => processesWith(`comment=early-${folder}`).every(isBwrap))
    for (const { pid } of processesWith(`comment=early-${folder}`)) spawnSync('kill', ['-9', String(pid)])
  })
})

test('a missing ffmpeg is named', async () => {
  const missing = createFfmpeg('/nowhere/ffmpeg')
  await assert.rejects(missing.version(), ProgramMissing)
  const run = { args: [], reads: [], writes: tmpdir(), wallMs: 1_000, processorSeconds: 1 }
  await assert.rejects(missing.run(run), /\/nowhere\/ffmpeg is not installed/)
})
