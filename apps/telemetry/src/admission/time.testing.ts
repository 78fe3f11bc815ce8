import { mock } from 'node:test'

/** Timers and their clock, advanced by the test. */
export function mockTime() {
  let now = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  const clock = mock.method(performance, 'now', () => now)
  return {
    pass(ms: number) {
      now += ms
      mock.timers.tick(ms)
    },
    restore() {
      clock.mock.restore()
      mock.timers.reset()
    },
  }
}
