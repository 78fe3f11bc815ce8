import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answersTo, changesOf, checkAnswers } from './questions.ts'

describe('questions that a clinic defines', () => {
  test('only changed answers are sent, and an emptied one is deleted with null', () => {
    const stored = { notes: 'Old', custom_fields: { room: 'Blue', pain: 3, side: '' } }
    const now = { notes: 'Old', custom_fields: { room: '', pain: 4, side: '' } }
    assert.deepEqual(changesOf(now, stored), { custom_fields: { room: null, pain: 4 } })
    assert.deepEqual(changesOf(stored, stored), {})
  })

  test('a list is changed when its elements are', () => {
    assert.deepEqual(changesOf({ sides: ['left'] }, { sides: ['left'] }), {})
    assert.deepEqual(changesOf({ sides: ['left', 'right'] }, { sides: ['left'] }), { sides: ['left', 'right'] })
  })

  test('a question without an answer starts empty, and answers to other questions are left out', () => {
    assert.deepEqual(answersTo([{ key: 'room' }, { key: 'pain' }], { pain: 0, old: 'x' }), { room: '', pain: 0 })
  })

  test('what is no number is refused at the question for a number', () => {
    const questions = [
      { key: 'custom_fields.pain', type: 'number' },
      { key: 'room', type: 'text' },
    ] as const
    assert.deepEqual(checkAnswers(questions, { room: 'x', custom_fields: { pain: 'much' } }), {
      'custom_fields.pain': { code: 'number' },
    })
    assert.deepEqual(checkAnswers(questions, { custom_fields: { pain: 0 } }), {})
    assert.deepEqual(checkAnswers(questions, { custom_fields: { pain: '' } }), {})
  })
})
