import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createFsStore } from '@tendon/object-store'
import { harmlessVideo, hostileScripts, hostileVideos, NO_FFMPEG, peakUse, portOf } from '@tendon/testing'
import { inspectVideo } from './inspect.ts'
import { UnplayableVideo } from './port.ts'

// ffmpeg makes the files.
const REFUSED_WITHIN_PROCESSOR_SECONDS = 2
const REFUSED_WITHIN_BYTES = 512 * 1024 * 1024

describe('an uploaded file', { skip: NO_FFMPEG }, () => {
  const root = mkdtempSync(join(tmpdir(), 'tendon-test-look-'))
  const objects = createFsStore({ root, publicBaseUrl: 'http://core.example', signingKey: 'k'.repeat(32) })
  let connections = 0
  const server = createServer((_request, response) => void response.end())
  server.on('connection', () => void (connections += 1))
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.close().closeAllConnections()
    rmSync(root, { recursive: true })
  })
  const store = (bytes: Buffer) => objects.put('video', bytes, { contentType: 'video/mp4', maxBytes: bytes.length + 1 })

  test('that attacks its reader is refused within two seconds, with bounded memory and no connection', async () => {
    const url = `http://127.0.0.1:${portOf(server)}/a.ts`
    const hostile = { ...hostileVideos(), ...hostileScripts(url, '/etc/passwd') }
    for (const [name, bytes] of Object.entries(hostile)) {
      await store(bytes)
      const { bytes: memory, processorSeconds } = await peakUse('inspect-process.mjs', () =>
        assert.rejects(inspectVideo(objects, 'video'), UnplayableVideo, name),
      )
      assert.ok(processorSeconds < REFUSED_WITHIN_PROCESSOR_SECONDS, `${name} took ${processorSeconds} s`)
      assert.ok(memory < REFUSED_WITHIN_BYTES, `${name} took ${memory} bytes`)
    }
    assert.equal(connections, 0)
    await store(harmlessVideo())
    assert.deepEqual(await inspectVideo(objects, 'video'), { seconds: 1, width: 64, height: 64, has_sound: false })
  })
})
