import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withUrls } from './playlist.ts'

test('a playlist gets a URL for each file: lines, and URI= of renditions and initialisation sections', async () => {
  const master = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Română",LANGUAGE="ro",DEFAULT=YES,URI="sound-ro.m3u8"',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",URI="captions-ro.m3u8",NAME="Română",LANGUAGE="ro"',
    '#EXT-X-MEDIA:URI="sound-en.m3u8",TYPE=AUDIO,GROUP-ID="sound",NAME="a,URI=b"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="sound"',
    'pictures-0.m3u8',
    '#EXT-X-MAP:URI="0.m4s",BYTERANGE="10@0"',
    '',
  ]
  const asked: string[] = []
  const text = await withUrls(master.join('\n'), async (name) => {
    asked.push(name)
    return `https://x.example/${name}?signed`
  })
  const files = ['sound-ro.m3u8', 'captions-ro.m3u8', 'sound-en.m3u8', 'pictures-0.m3u8', '0.m4s']
  assert.deepEqual(asked, files)
  const expected = files.reduce((all, name) => all.replace(name, `https://x.example/${name}?signed`), master.join('\n'))
  assert.equal(text, expected)
})
