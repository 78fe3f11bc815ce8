import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { FFMPEG, hostileScripts, hostileVideos, NO_FFMPEG, peakUse, portOf } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { openCache } from './cache.ts'
import { BadClip, normaliseClip, normaliseSound } from './clips.ts'
import { rungsFor } from './profile.ts'

const REFUSED_WITHIN_PROCESSOR_SECONDS = 2
const REFUSED_WITHIN_BYTES = 512 * 1024 * 1024

describe('a file of a bundle that is made to do harm', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-hostile-clip-'))
  let connections = 0
  const server = createServer((_request, response) => void response.end())
  server.on('connection', () => void (connections += 1))
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a file of a bundle that is made to do harm is named and refused within two seconds, with bounded memory, no connection and nothing kept', async () => {
    const url = `http://127.0.0.1:${portOf(server)}/a.ts`
    const ffmpeg = createFfmpeg(FFMPEG)
    const cache = await openCache(folder)
    const { signal } = new AbortController()
    const scripts = hostileScripts(url, '/etc/passwd')
    const refuses = async (name: string, work: () => Promise<unknown>) => {
      const { bytes, processorSeconds } = await peakUse(folder, () => assert.rejects(work(), BadClip, name))
      assert.ok(processorSeconds < REFUSED_WITHIN_PROCESSOR_SECONDS, `${name} took ${processorSeconds} s`)
      assert.ok(bytes < REFUSED_WITHIN_BYTES, `${name} took ${bytes} bytes`)
    }
    for (const [name, content] of Object.entries({ ...hostileVideos(), ...scripts })) {
      const tools = { ffmpeg, cache, signal, read: async () => Readable.from([content]) }
      const clip = { name: 'intro-video-1.mp4', sha256: name, owner: 'platform', key: name }
      await refuses(name, () => normaliseClip(clip, rungsFor(64, 64), tools))
      if (name in scripts) await refuses(name, () => normaliseSound({ ...clip, name: 'intro-vo-1.mp3' }, tools))
    }
    assert.equal(connections, 0)
    assert.deepEqual([readdirSync(join(folder, 'clips')), readdirSync(join(folder, 'work'))], [[], []])
  })
})
