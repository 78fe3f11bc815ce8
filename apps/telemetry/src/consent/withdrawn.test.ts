import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isCameraWithdrawn, isRunWithdrawn, type Withdrawal } from './withdrawn.ts'

const at = (minute: number) => Date.UTC(2026, 10, 17, 10, minute)
const withdrawal = (changed: Partial<Withdrawal> = {}): Withdrawal => ({
  run_id: 'run',
  purpose_code: 'telerehab',
  withdrawn_at: new Date(at(10)).toISOString(),
  granted_again_at: null,
  ...changed,
})

describe('withdrawn consents', () => {
  test('what happened until the withdrawal is kept, what happens after it is not', () => {
    const withdrawals = [withdrawal()]
    assert.deepEqual(
      [9, 10, 11].map((minute) => isRunWithdrawn(withdrawals, at(minute))),
      [false, false, true],
    )
  })

  test('a withdrawn consent to the camera stops the camera only', () => {
    const withdrawals = [withdrawal({ purpose_code: 'biometric_capture' })]
    assert.deepEqual([isRunWithdrawn(withdrawals, at(11)), isCameraWithdrawn(withdrawals, at(11))], [false, true])
    assert.equal(isCameraWithdrawn([withdrawal()], at(11)), true)
  })

  test('after the consent is given again data is kept again', () => {
    const again = withdrawal({ granted_again_at: new Date(at(20)).toISOString() })
    assert.deepEqual(
      [15, 20, 21].map((minute) => isRunWithdrawn([again], at(minute))),
      [true, true, false],
    )
  })
})
