import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MEDIA_URL_SECONDS, playableUrls, storedUrl, withUrls } from '@tendon/video-host'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const FOLDER = 'exercise-videos/platform/a.mp4'
const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n0.m3u8\n'
const VARIANT =
  '#EXTM3U\n#EXT-X-MAP:URI="0.m4s",BYTERANGE="10@0"\n#EXT-X-BYTERANGE:5@10\n0.m4s\n#EXT-X-BYTERANGE:5@15\n0.m4s\n'

describe('a playlist', () => {
  let core: TestCore
  let clock: Date | undefined
  before(async () => {
    core = await sharedCore({ services: { now: () => clock ?? new Date() } })
    for (const [name, content, contentType] of [
      ['/master.m3u8', MASTER, 'application/vnd.apple.mpegurl'],
      ['/0.m3u8', VARIANT, 'application/vnd.apple.mpegurl'],
      ['/0.m4s', '0123456789abcdefghij', 'video/iso.segment'],
      ['', 'original', 'video/mp4'],
    ] as const)
      await core.services.objects.put(FOLDER + name, Buffer.from(content), { contentType, maxBytes: 1_000 })
  })
  after(() => core.close())

  const linkTo = async (key: string) => {
    const { video_url } = await playableUrls(core.services, { video_url: storedUrl(key) })
    const { pathname, search } = new URL(video_url)
    return pathname + search
  }
  const follow = (address: string, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(address)
    return core.get(pathname + search, { headers })
  }
  const named = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  test('refers to its files by signed URLs, and is otherwise unchanged', async () => {
    const master = await core.get(await linkTo(`${FOLDER}/master.m3u8`))
    assert.deepEqual([master.status, master.headers.get('content-type')], [200, 'application/vnd.apple.mpegurl'])
    assert.equal(master.headers.get('cross-origin-resource-policy'), 'same-site')
    const variant = await follow(named(master.text)[0] ?? '')
    const [first, second] = named(variant.text)
    assert.equal(first, second)
    assert.equal(variant.text.replaceAll(first ?? '', '0.m4s'), VARIANT)
    assert.equal((await follow(first ?? '', { range: 'bytes=10-14' })).text, 'abcde')
  })

  test('a playlist opens only with its own link until it expires (403); a deleted one is 404', async () => {
    const link = await linkTo(`${FOLDER}/master.m3u8`)
    const other = await linkTo(FOLDER)
    const asPlaylist = other.replace('/v1/public/objects/', '/v1/public/videos/')
    const forgotten = link.replace('master', '0')
    for (const path of [link.split('?')[0] ?? '', `${link}x`, asPlaylist, forgotten, '/v1/public/videos/..%2f..%2fx'])
      assert.deepEqual([(await core.get(path)).body.error.code, path], ['invalid_signature', path])
    clock = new Date(Date.now() + MEDIA_URL_SECONDS * 1_000)
    const late = await core.get(link)
    clock = undefined
    assert.deepEqual([late.status, late.body.error.code], [403, 'link_expired'])
    const gone = await core.get(await linkTo(`${FOLDER}/gone.m3u8`))
    assert.deepEqual([gone.status, gone.body.error.code], [404, 'not_found'])
  })

  test('a playlist with other URLs is not returned', async () => {
    for (const name of ['../b.mp4/0.m4s', '/etc/passwd', 'https://x.example/a.m4s', '.hidden', 'a b'])
      await assert.rejects(
        withUrls(`#EXTM3U\n${name}\n`, async () => 'address'),
        /a file in another folder/,
      )
    await assert.rejects(
      withUrls('#EXT-X-MAP:URI="../x.m4s"\n', async () => 'address'),
      /a file in another folder/,
    )
  })

  test('and an image of another host keep their URLs', async () => {
    const row = { video_url: 'https://video.example/a.m3u8', video_thumbnail_url: null, name: 'Squat' }
    assert.deepEqual(await playableUrls(core.services, row), row)
  })
})
