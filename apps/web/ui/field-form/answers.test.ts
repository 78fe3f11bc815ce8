import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SavedForm } from '@tendon/sdk'
import fc from 'fast-check'
import { answersWith, formOf, refusal, settled, stale } from './answers.testing.ts'
import { AUTOSAVE_MS } from './answers.ts'

describe('the answers of a form', () => {
  test('answers are saved 800 ms after the last key, once, and the page learns what is stored', async () => {
    const { answers, time, sent, stored, state } = answersWith()
    answers.answer('field_complaint', 'K')
    assert.equal(state(), 'unsaved')
    await time.pass(AUTOSAVE_MS - 1)
    answers.answer('field_complaint', 'Knee')
    await time.pass(AUTOSAVE_MS - 1)
    assert.deepEqual(sent, [])
    await time.pass(1)
    assert.deepEqual(sent, [{ values: { field_complaint: 'Knee' }, version: 1 }])
    assert.equal(state(), 'saved')
    assert.deepEqual([stored[0]?.values, stored[0]?.version], [{ field_complaint: 'Knee' }, 2])
  })

  test('answers are saved at once on the way out, and the next save has the new version', async () => {
    const { answers, sent } = answersWith()
    answers.answer('field_complaint', 'Knee')
    assert.equal(await answers.flush(), true)
    answers.answer('field_smoker', 'No')
    assert.equal(await answers.flush(), true)
    assert.deepEqual(
      sent.map(({ version }) => version),
      [1, 2],
    )
  })

  test('a key during a save is saved after it; "saved" is never shown before', async () => {
    const first = Promise.withResolvers<Partial<SavedForm>>()
    const { answers, time, sent, state } = answersWith(formOf(), [first.promise])
    answers.answer('field_complaint', 'Kn')
    await time.pass(AUTOSAVE_MS)
    assert.equal(state(), 'saving')
    answers.answer('field_complaint', 'Knee')
    const left = answers.flush()
    first.resolve({})
    assert.equal(await left, true)
    assert.deepEqual(sent.at(-1), { values: { field_complaint: 'Knee' }, version: 2 })
    assert.equal(state(), 'saved')
  })

  test('an answer that was typed and taken back is not sent; an emptied one is deleted', async () => {
    const { answers, time, sent, state } = answersWith(formOf({ field_complaint: 'Knee' }))
    answers.answer('field_complaint', 'Knees')
    answers.answer('field_complaint', 'Knee')
    assert.equal(state(), 'saved')
    assert.deepEqual(time.waiting, [])
    answers.answer('field_complaint', '')
    await answers.flush()
    assert.deepEqual(sent, [{ values: { field_complaint: null }, version: 1 }])
  })

  test('an incomplete answer is named as not saved while the others are saved', async () => {
    const { answers, sent, state } = answersWith()
    answers.answer('field_complaint', 'Knee')
    answers.answer('field_email', 'half@')
    assert.equal(await answers.flush(), false)
    assert.deepEqual(sent, [{ values: { field_complaint: 'Knee' }, version: 1 }])
    assert.equal(state(), 'refused')
    assert.deepEqual(answers.view().unsaved, ['field_email'])
    answers.answer('field_email', 'half@mail.example')
    assert.equal(await answers.flush(), true)
  })

  test('an answer that the server refuses is marked, the others are saved, and it is not sent again unchanged', async () => {
    const fields = { 'values.field_complaint': 'must not be this' }
    const { answers, sent, state } = answersWith(formOf(), [refusal(400, { code: 'validation_error', fields })])
    answers.answer('field_complaint', 'Bad')
    answers.answer('field_smoker', 'No')
    assert.equal(await answers.flush(), false)
    assert.deepEqual(
      sent.map(({ values }) => Object.keys(values)),
      [['field_complaint', 'field_smoker'], ['field_smoker']],
    )
    assert.equal(state(), 'refused')
    assert.deepEqual(answers.view().refused.fields, { field_complaint: 'must not be this' })
    assert.equal(await answers.flush(), false)
    assert.equal(sent.length, 2)
    answers.answer('field_complaint', 'Good')
    assert.deepEqual(answers.view().refused.fields, {})
    assert.equal(await answers.flush(), true)
  })

  test('a refused answer that is typed again while the connection is lost is refused, and not announced to be sent again', async () => {
    const fields = { 'values.field_complaint': 'no' }
    const { answers, time, state, sent } = answersWith(formOf(), [refusal(400, { fields }), refusal(0)])
    for (const text of ['a', 'b', 'a']) {
      answers.answer('field_complaint', text)
      if (text === 'b' || sent.length === 0) await answers.flush()
    }
    await time.pass(60_000)
    assert.deepEqual([state(), answers.view().error, sent.length], ['refused', null, 2])
  })

  test('an answer that is refused after a lost connection is refused, and not announced to be sent again', async () => {
    const fields = { 'values.field_complaint': 'must not be this' }
    const { answers, time, state } = answersWith(formOf(), [refusal(0), refusal(400, { fields })])
    answers.answer('field_complaint', 'Bad')
    await time.pass(60_000)
    assert.equal(state(), 'refused')
    assert.equal(answers.view().error, null)
  })

  test('when an answer opens a required question of a complete form, both are sent once it is answered', async () => {
    const form = formOf({ field_smoker: 'No' })
    const fields = { 'values.field_cigarettes': 'is required: the form is completed' }
    const { answers, sent, state } = answersWith(form, [refusal(400, { code: 'validation_error', fields })])
    answers.answer('field_smoker', 'Yes')
    assert.equal(await answers.flush(), false)
    assert.equal(state(), 'refused')
    assert.deepEqual(Object.keys(answers.view().refused.fields), ['field_cigarettes'])
    answers.answer('field_cigarettes', 5)
    assert.equal(await answers.flush(), true)
    assert.deepEqual(sent.at(-1)?.values, { field_smoker: 'Yes', field_cigarettes: 5 })
  })

  test('an answer to a question that is no longer asked is not sent, and keeps nobody on the page', async () => {
    const { answers, sent, state } = answersWith()
    answers.answer('field_smoker', 'Yes')
    answers.answer('field_cigarettes', 5)
    answers.answer('field_smoker', 'No')
    assert.equal(await answers.flush(), true)
    assert.deepEqual(sent, [{ values: { field_smoker: 'No' }, version: 1 }])
    assert.equal(state(), 'saved')
  })

  test('a failed save is sent again after 1, 2, 4, 8 and at most 15 seconds, or when Retry-After says so', async () => {
    const lost = () => refusal(0)
    const { answers, time, sent, state } = answersWith(formOf(), [
      ...Array.from({ length: 6 }, lost),
      refusal(429, {}, { 'retry-after': '60' }),
    ])
    answers.answer('field_complaint', 'Knee')
    await time.pass(AUTOSAVE_MS)
    const waits: (number | undefined)[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      assert.equal(state(), 'failed')
      waits.push(time.waiting[0])
      await time.pass(time.waiting[0] ?? 0)
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 60_000])
    assert.equal(state(), 'saved')
    assert.equal(sent.length, 8)
    assert.deepEqual(time.waiting, [])
  })

  test('a failed save is sent at once when the connection is back', async () => {
    const { answers, state, sent } = answersWith(formOf(), [refusal(0), refusal(503)])
    answers.answer('field_complaint', 'Knee')
    assert.equal(await answers.flush(), false)
    answers.answer('field_complaint', 'Knee pain')
    answers.retry()
    await settled()
    assert.equal(state(), 'failed')
    answers.retry()
    await settled()
    assert.equal(state(), 'saved')
    assert.deepEqual(sent.at(-1)?.values, { field_complaint: 'Knee pain' })
    answers.retry()
    assert.equal(sent.length, 3)
  })

  test('a refusal without a field is shown, and the answer is sent again with the next change only', async () => {
    const { answers, time, state } = answersWith(formOf(), [refusal(403)])
    answers.answer('field_complaint', 'Knee')
    await time.pass(AUTOSAVE_MS)
    assert.deepEqual([state(), answers.view().error?.status, time.waiting], ['refused', 403, []])
    answers.answer('field_complaint', 'Knees')
    await time.pass(AUTOSAVE_MS)
    assert.deepEqual([state(), answers.view().error], ['saved', null])
  })

  test('when somebody changed other answers, both are kept, and the page says so', async () => {
    const theirs = formOf({ field_smoker: 'No' }, 7)
    const { answers, sent, state } = answersWith(formOf(), [stale(theirs)])
    answers.answer('field_complaint', 'Knee')
    assert.equal(await answers.flush(), true)
    assert.deepEqual(sent.at(-1), { values: { field_complaint: 'Knee' }, version: 7 })
    assert.deepEqual(answers.view().values, { field_complaint: 'Knee', field_smoker: 'No' })
    assert.deepEqual([state(), answers.view().merged?.changedById], ['saved', 'ana'])
  })

  test('a save whose answer was lost, and an upload that changed the version, are no conflict', async () => {
    const { answers, sent } = answersWith(formOf(), [refusal(0), stale(formOf({ field_complaint: 'Knee' }, 2))])
    answers.answer('field_complaint', 'Knee')
    assert.equal(await answers.flush(), false)
    assert.equal(await answers.flush(), true)
    assert.deepEqual([answers.view().conflict, answers.view().merged, sent.length], [undefined, undefined, 2])
  })

  test('when both changed one answer, the person decides; the other answers are kept either way', async () => {
    for (const choice of ['keepMine', 'takeTheirs'] as const) {
      const theirs = formOf({ field_complaint: 'Theirs' }, 7)
      const { answers, state, sent } = answersWith(formOf(), [stale(theirs)])
      answers.answer('field_complaint', 'Mine')
      answers.answer('field_smoker', 'No')
      assert.equal(await answers.flush(), false)
      assert.deepEqual(answers.view().conflict?.keys, ['field_complaint'])
      assert.equal(state(), 'refused')
      answers[choice]()
      assert.equal(await answers.flush(), true)
      const complaint = choice === 'keepMine' ? 'Mine' : 'Theirs'
      assert.deepEqual(answers.view().values, { field_complaint: complaint, field_smoker: 'No' })
      assert.equal(sent.at(-1)?.version, 7)
    }
  })

  test('a conflict that was closed is shown again before anything is overwritten', async () => {
    const theirs = () => stale(formOf({ field_complaint: 'Theirs' }, 7))
    const { answers, state } = answersWith(formOf(), [theirs(), theirs()])
    answers.answer('field_complaint', 'Mine')
    await answers.flush()
    answers.postpone()
    assert.deepEqual([state(), answers.view().conflict], ['refused', undefined])
    assert.equal(await answers.flush(), false)
    assert.deepEqual(answers.view().conflict?.keys, ['field_complaint'])
    assert.equal(answers.view().values.field_complaint, 'Mine')
  })

  test('a form that was read again is shown, without losing what is being typed', async () => {
    const { answers, sent } = answersWith()
    answers.receive(formOf({ field_smoker: 'No' }, 2))
    assert.deepEqual(answers.view().values, { field_smoker: 'No' })
    answers.answer('field_complaint', 'Knee')
    answers.receive(formOf({ field_smoker: 'Yes' }, 3))
    assert.deepEqual(answers.view().values, { field_smoker: 'Yes', field_complaint: 'Knee' })
    await answers.flush()
    answers.receive(formOf({}, 1))
    assert.deepEqual([answers.view().values.field_complaint, sent[0]?.version], ['Knee', 3])
  })

  test('nothing is sent when the form is no longer shown', async () => {
    const { answers, time, sent } = answersWith()
    const detach = answers.attach()
    answers.answer('field_complaint', 'Knee')
    detach()
    await time.pass(60_000)
    assert.deepEqual(sent, [])
  })

  test('whatever fails in whatever order, "saved" means that the server has every answer', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('answer' as const), text: fc.constantFrom('', 'a', 'b', 'c') }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 3_000 }) }),
      fc.record({ kind: fc.constant('flush' as const) }),
      fc.record({ kind: fc.constant('retry' as const) }),
    )
    const trouble = fc.constantFrom('ok' as const, 'lost' as const, 'refused' as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.array(trouble, { maxLength: 8 }),
        async (steps, troubles) => {
          const fields = { 'values.field_complaint': 'no' }
          const replies = troubles.map((one) =>
            one === 'ok' ? {} : one === 'lost' ? refusal(0) : refusal(400, { fields }),
          )
          const { answers, time, stored, state } = answersWith(formOf(), replies)
          const check = () => {
            const has = stored.at(-1)?.values.field_complaint ?? ''
            const typed = answers.view().values.field_complaint ?? ''
            if (state() === 'saved') assert.equal(has, typed)
            assert.equal(answers.isClean(), has === typed)
          }
          for (const one of steps) {
            if (one.kind === 'answer') answers.answer('field_complaint', one.text)
            if (one.kind === 'pass') await time.pass(one.ms)
            if (one.kind === 'flush') await answers.flush()
            if (one.kind === 'retry') answers.retry()
            check()
          }
          await time.pass(300_000)
          check()
          assert.ok(['saved', 'refused'].includes(state()), state())
        },
      ),
    )
  })
})
