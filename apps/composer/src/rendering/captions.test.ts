import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWebVtt, joinCaptions } from './captions.ts'

const piece = (text: string) => ({ text, startSeconds: 10, endSeconds: 12 })

describe('captions of clips', () => {
  test('captions of clips are shifted to their position and end with their clip', () => {
    const text =
      'WEBVTT\n\n1\n00:00.500 --> 00:01.000 align:start\nUp.\n\n00:01.500 --> 00:09.000\nDown.\n\n00:03.000 --> 00:04.000\nLate.\n'
    assert.equal(
      joinCaptions([piece(text)]),
      'WEBVTT\n\n00:00:10.500 --> 00:00:11.000 align:start\nUp.\n\n00:00:11.500 --> 00:00:12.000\nDown.\n',
    )
  })

  test('captions of clips cannot add a style, a region, a note or a cue of another time', () => {
    const hidden = '00:00.000 --> 00:01.000\nUp.'
    const texts = [
      `WEBVTT\n\nSTYLE\n::cue { background: url(http://127.0.0.1/) }\n\n${hidden}\n`,
      `WEBVTT\n\nREGION\nid:x\n\n${hidden}\n\nNOTE secret\n`,
      `WEBVTT\n\n${hidden}\r\r00:00:00.000 --> 99:00:00.000\rEverywhere.\n`,
      `WEBVTT\r\n\r\n${hidden}\n00:00:00.000 --> 99:00:00.000\nEverywhere.\n`,
    ]
    for (const text of texts) {
      assert.ok(isWebVtt(text))
      const joined = joinCaptions([piece(text)])
      assert.doesNotMatch(joined, /STYLE|REGION|NOTE|http/)
      for (const [, end] of joined.matchAll(/ --> (\S+)/g)) assert.ok((end ?? '') <= '00:00:12.000', joined)
    }
  })

  test('captions of clips that are not WebVTT with a cue are refused', () => {
    for (const text of ['', 'WEBVTT\n', '1\n00:00:00,000 --> 00:00:01,000\nSubRip\n', '[Script Info]\n', '#EXTM3U\n'])
      assert.equal(isWebVtt(text), false, text)
  })
})
