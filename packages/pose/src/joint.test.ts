import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { VALUES_PER_FRAME } from './codec.ts'
import { jointOf } from './joint.ts'
import { bends, KNEE } from './motion.testing.ts'

describe('the angle of a joint in a frame', () => {
  test('the angle of a joint in a frame goes from rest to the working end and back', () => {
    const degrees = bends(0).flatMap(({ landmarks, timestamps }) =>
      [...timestamps].map((_, frame) => jointOf(landmarks, KNEE, frame * VALUES_PER_FRAME).degrees),
    )
    assert.ok(Math.abs(Math.max(...degrees) - 170) < 0.5 && Math.abs(Math.min(...degrees) - 80) < 0.5)
  })
})
