import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompositionManifest, CompositionSet } from '@tendon/contracts'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { buildTimeline, type Composition } from './timeline-rules.ts'

const MANIFEST: CompositionManifest = {
  manifest_version: 1,
  exercise: 'sit-to-stand',
  kind: 'reps_based',
  languages: ['en', 'ro'],
  laterality: 'unilateral',
  reps_per_video_block: 5,
  counts_per_audio_master: 10,
}
const SLOTS = ['intro', 'pause', 'outro', 'rep-left', 'rep-right']
const SIDED = ['pause-left', 'pause-right', 'pause-left-to-right', 'pause-right-to-left']

const namesOf = (slots: readonly string[], variants: number, languages: readonly string[] = ['en', 'ro']) =>
  slots.flatMap((slot) =>
    Array.from({ length: variants }, (_, n) => n + 1).flatMap((n) => [
      `${slot}-video-${n}.mp4`,
      ...languages.flatMap((language) => [`audio/${language}/${slot}-vo-${n}.mp3`]),
    ]),
  )
const compositionOf = (more: Partial<Composition> = {}): Composition => ({
  manifest: MANIFEST,
  names: namesOf(SLOTS, 3),
  language: 'en',
  sets: [{ side: 'left', reps: 10 }],
  seed: 7,
  ...more,
})
const slotsOf = (composition: Composition) =>
  buildTimeline(composition)
    .items.map(({ slot }) => slot)
    .join(' ')

const anySet = fc.record<CompositionSet>({
  side: fc.constantFrom('left', 'right'),
  reps: fc.constantFrom(5, 10, 15, 20),
})
const anyComposition = fc.record({
  sets: fc.array(anySet, { minLength: 1, maxLength: 20 }),
  seed: fc.maxSafeInteger(),
  variants: fc.integer({ min: 1, max: 12 }),
  perBlock: fc.constantFrom(1, 5),
  perVoice: fc.constantFrom(1, 2, 4),
  extra: fc.subarray(SIDED),
})

/** Computed by another program from the rule in the documentation. */
const FOREVER = {
  items: [7, 8, 8, 6, 1, 6],
  voices: ['intro-vo-7', 'rep-right-vo-5', 'rep-right-vo-8', 'outro-vo-5'].map((name) => `audio/en/${name}.mp3`),
}

describe('a timeline', () => {
  test('a timeline is intro, blocks of repetitions, a pause between sets, outro', () => {
    const sets = [
      { side: 'left', reps: 15 },
      { side: 'left', reps: 5 },
      { side: 'right', reps: 5 },
    ] as const
    assert.equal(
      slotsOf(compositionOf({ sets })),
      'intro rep-left rep-left rep-left pause rep-left pause rep-right outro',
    )
    const names = namesOf([...SLOTS, 'pause-left', 'pause-left-to-right'], 1)
    assert.equal(
      slotsOf(compositionOf({ sets, names })),
      'intro rep-left rep-left rep-left pause-left rep-left pause-left-to-right rep-right outro',
    )
    const manifest = { ...MANIFEST, laterality: 'bilateral' as const }
    const twice = [sets[0], sets[0]]
    assert.ok(!slotsOf(compositionOf({ sets: twice, names, manifest })).includes('pause-left'))
  })

  test('names every slot that the bundle lacks, of pictures and of voice-overs', () => {
    const names = [...namesOf(['intro', 'outro'], 1), 'rep-left-video-1.mp4', 'audio/ro/rep-left-vo-1.mp3']
    const sets = [
      { side: 'left', reps: 5 },
      { side: 'right', reps: 5 },
    ] as const
    const { missing } = buildTimeline(compositionOf({ names, sets }))
    assert.equal(missing.join(' '), 'pause rep-right audio/en/rep-left audio/en/pause audio/en/rep-right')
  })

  test('offers the other languages that are spoken throughout', () => {
    assert.deepEqual(buildTimeline(compositionOf()).languages, ['en', 'ro'])
    const names = namesOf(SLOTS, 3).filter((name) => !name.startsWith('audio/ro/outro'))
    assert.deepEqual(buildTimeline(compositionOf({ names })).languages, ['en'])
    assert.ok(buildTimeline(compositionOf({ names, language: 'ro' })).missing.includes('audio/ro/outro'))
  })

  test('supports every language that a file name can contain', () => {
    const names = namesOf(SLOTS, 1, ['fil'])
    const manifest = { ...MANIFEST, languages: ['fil'] }
    const { missing, voices } = buildTimeline(compositionOf({ manifest, names, language: 'fil' }))
    assert.deepEqual(missing, [])
    assert.equal(voices[0]?.files.fil?.sound, 'audio/fil/intro-vo-1.mp3')
  })

  test('a timeline is the same on every machine and in every release: these choices never change', () => {
    const sets = [{ side: 'right', reps: 20 }] as const
    const { items, voices } = buildTimeline(compositionOf({ sets, names: namesOf(SLOTS, 9), seed: 42 }))
    assert.deepEqual(
      items.map(({ variant }) => variant),
      FOREVER.items,
    )
    assert.deepEqual(
      voices.map((voice) => voice.files.en?.sound),
      FOREVER.voices,
    )
  })

  test('a timeline has every repetition, one voice at a time, and no dependence on the order of the files', () => {
    fc.assert(
      fc.property(anyComposition, ({ sets, seed, variants, perBlock, perVoice, extra }) => {
        const manifest = { ...MANIFEST, reps_per_video_block: perBlock, counts_per_audio_master: perBlock * perVoice }
        const names = namesOf([...SLOTS, ...extra], variants)
        const timeline = buildTimeline(compositionOf({ manifest, sets, seed, names }))
        assert.deepEqual(buildTimeline(compositionOf({ manifest, sets, seed, names: names.toReversed() })), timeline)
        const reps = timeline.items.filter(({ slot }) => slot.startsWith('rep-')).length * perBlock
        assert.equal(
          reps,
          sets.reduce((sum, set) => sum + set.reps, 0),
        )
        let next = 0
        for (const { from, items } of timeline.voices) {
          assert.equal(from, next)
          const slots = new Set(timeline.items.slice(from, from + items).map(({ slot }) => slot))
          assert.equal(slots.size, 1, 'a voice-over ends with its set')
          next += items
        }
        assert.equal(next, timeline.items.length)
        for (const { video } of timeline.items) assert.ok(names.includes(video))
      }),
      { numRuns: soakRuns(200), seed: soakSeed() },
    )
  })
})
