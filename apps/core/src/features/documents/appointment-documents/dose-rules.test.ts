import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WORDS } from '../pdf-templates/index.ts'
import { doseOf, instructionsOf } from './dose-rules.ts'

describe('how much of an exercise', () => {
  const of = { sets: 3, reps: 12, hold_seconds: null, rest_seconds: 0, side: null }

  test('how much of an exercise is said in words of the language, with its plurals', () => {
    assert.equal(doseOf(of, WORDS.en), '3 sets × 12 repetitions')
    assert.equal(doseOf({ ...of, sets: 1, reps: 1 }, WORDS.en), '1 set × 1 repetition')
    assert.equal(doseOf(of, WORDS.ro), '3 serii × 12 repetări')
    assert.equal(doseOf({ ...of, sets: 1, reps: 20 }, WORDS.ro), '1 serie × 20 de repetări')
  })

  test('names the hold, the side and the rest, as far as they are prescribed', () => {
    const held = { ...of, reps: null, hold_seconds: 30, rest_seconds: 60, side: 'left' as const }
    assert.equal(doseOf(held, WORDS.en), '3 sets\nhold 30 s\nleft\nrest 60 s between sets')
    assert.equal(doseOf({ ...held, sets: 1 }, WORDS.ro), '1 serie\nmențineți 30 s\nstânga')
  })

  test('how it is done: the note for this patient first, then the summary and the steps', () => {
    const steps = [
      { title: 'Start', content: 'Stand' },
      { title: null, content: 'Bend' },
    ]
    assert.equal(instructionsOf('Slowly.', 'A squat.', steps), 'Slowly.\nA squat.\nStart: Stand\nBend')
    assert.equal(instructionsOf(null, null, []), '')
  })
})
