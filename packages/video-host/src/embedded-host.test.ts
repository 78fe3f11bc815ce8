import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEmbeddedVideoHost } from './embedded-host.ts'

const away = () => Promise.reject(new Error('not asked for'))
const store = { put: away, get: away, delete: away, signedUrl: away, check: away, list: noKeys }
async function* noKeys(): AsyncGenerator<string> {}

describe('the embedded video host', () => {
  test('looks at a few videos at a time; a look that fails makes room too', async () => {
    let looking = 0
    let most = 0
    const seen: string[] = []
    const head = async (key: string) => {
      seen.push(key)
      looking += 1
      most = Math.max(most, looking)
      await new Promise(setImmediate)
      looking -= 1
      throw new Error('broken')
    }
    const host = createEmbeddedVideoHost({ objects: { ...store, head }, ffmpeg: null })
    const keys = Array.from({ length: 30 }, (_, n) => `video-${n}`)
    const begun = await Promise.allSettled(keys.map((key) => host.begin({ key, mime: 'video/mp4' })))
    assert.ok(begun.every(({ status }) => status === 'rejected'))
    assert.deepEqual([most, seen], [4, keys])
  })
})
