import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createGate } from '../api/gates.ts'
import { manualClock, settled } from '../field-form/answers.testing.ts'
import { type LeaveQuestion, leaveWhenClean, MAX_LEAVE_WAIT_MS, mayLeave } from './leave.ts'

const page = () => {
  const gate = createGate<LeaveQuestion>()
  gate.mount(() => undefined)
  const time = manualClock()
  return { gate, time }
}
const isDirty = () => true

describe('leaving a page with unsaved input', () => {
  test('leaving asks nothing when there is nothing to lose, or when it could be saved', async () => {
    const { gate, time } = page()
    assert.equal(await mayLeave({ isDirty: () => false }, time.clock, gate), true)
    assert.equal(await mayLeave({ isDirty, save: async () => true }, time.clock, gate), true)
    assert.equal(gate.reason, undefined)
    assert.deepEqual(time.waiting, [])
  })

  test('leaving asks about what is still unsaved when it cannot be saved; the person decides', async () => {
    for (const decision of [true, false]) {
      const { gate, time } = page()
      let unsaved = 'two answers'
      const save = async () => {
        unsaved = 'one answer'
        return false
      }
      const left = mayLeave({ isDirty, save, text: () => unsaved }, time.clock, gate)
      await settled()
      assert.equal(gate.reason?.text, 'one answer')
      gate.open(decision)
      assert.equal(await left, decision)
    }
  })

  test('leaving asks after four seconds of a slow save, and goes on when the save succeeds', async () => {
    const { gate, time } = page()
    const saved = Promise.withResolvers<boolean>()
    const left = mayLeave({ isDirty, save: () => saved.promise }, time.clock, gate)
    await time.pass(MAX_LEAVE_WAIT_MS - 1)
    assert.equal(gate.reason, undefined)
    await time.pass(1)
    assert.notEqual(gate.reason, undefined)
    saved.resolve(true)
    assert.equal(await left, true)
    assert.equal(gate.reason, undefined)
  })

  test('a slow save that succeeds after the person chose to stay does not answer the next question', async () => {
    const { gate, time } = page()
    const saved = Promise.withResolvers<boolean>()
    const first = mayLeave({ isDirty, save: () => saved.promise }, time.clock, gate)
    await time.pass(MAX_LEAVE_WAIT_MS)
    gate.open(false)
    assert.equal(await first, false)
    const second = mayLeave({ isDirty }, time.clock, gate)
    saved.resolve(true)
    await settled()
    gate.open(false)
    assert.equal(await second, false)
  })

  test('leaving goes on when a later attempt has saved everything, not when another form is saved', async () => {
    const { gate, time } = page()
    let isTyped = true
    const isUnsaved = () => isTyped
    const left = mayLeave({ isDirty: isUnsaved, save: async () => false }, time.clock, gate)
    await settled()
    leaveWhenClean(isUnsaved, gate)
    leaveWhenClean(() => false, gate)
    assert.notEqual(gate.reason, undefined)
    isTyped = false
    leaveWhenClean(isUnsaved, gate)
    assert.equal(await left, true)
    assert.equal(gate.reason, undefined)
  })
})
