// Loaded before every test. Node's test runner tracks every promise, to attribute uncaught errors to a test; that
// makes each `await` twenty times slower. Without it such an error still fails the run, but without a test name.
import { createHook } from 'node:async_hooks'

type Hook = ReturnType<typeof createHook> & Record<symbol, unknown>

const options = { trackPromises: false } // newer than the types
const sample = createHook(options as Parameters<typeof createHook>[0]) as Hook
const untracked = Object.getOwnPropertySymbols(sample).find((symbol) => sample[symbol] === true)
if (untracked) {
  const prototype = Object.getPrototypeOf(sample) as Hook
  const { enable } = prototype
  prototype.enable = function (this: Hook) {
    this[untracked] = true
    return enable.call(this)
  }
}
