import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClock } from './clock.ts'

function run(duration: number) {
  let time = 0
  let frame: (() => void) | undefined
  const clock = createClock(duration, {
    now: () => time,
    nextFrame(next) {
      frame = next
      return () => {
        frame = undefined
      }
    },
  })
  const pass = (milliseconds: number) => {
    time += milliseconds
    const next = frame
    frame = undefined
    next?.()
  }
  return { clock, pass }
}

describe('the clock of a review', () => {
  test('the clock plays forwards, backwards and at other speeds, and stays within the run', () => {
    const { clock, pass } = run(10_000)
    clock.play()
    pass(1_500)
    assert.equal(clock.ms(), 1_500)
    clock.play(4)
    pass(1_000)
    assert.equal(clock.ms(), 5_500)
    clock.play(-1)
    pass(6_000)
    assert.deepEqual([clock.ms(), clock.playing()], [0, false])
    clock.play()
    pass(11_000)
    assert.deepEqual([clock.ms(), clock.playing()], [10_000, false])
  })

  test('all subscribers read the same millisecond', () => {
    const { clock } = run(10_000)
    const heard: number[] = []
    clock.subscribe(() => heard.push(clock.ms()))
    clock.subscribe(() => heard.push(clock.ms()))
    clock.seek(4_321)
    clock.seek(99_999)
    assert.deepEqual(heard, [4_321, 4_321, 10_000, 10_000])
  })

  test('a pause keeps the position, and playing at the end restarts', () => {
    const { clock, pass } = run(1_000)
    clock.seek(400)
    clock.play()
    clock.pause()
    pass(300)
    assert.equal(clock.ms(), 400)
    clock.seek(1_000)
    clock.play()
    assert.equal(clock.ms(), 0)
  })
})
