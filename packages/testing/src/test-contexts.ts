// Loaded before every test. Node's test runner finds the test to which an uncaught error belongs by following every
// promise with async hooks: an eighth of the processor time of a test run. AsyncLocalStorage does the same for free.
import hooks, { type AsyncResource } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

const { createHook, executionAsyncId, AsyncResource: Resource } = hooks
const running = new hooks.AsyncLocalStorage<AsyncResource>()
let onInit: Init | undefined

const noHook = { enable: () => noHook, disable: () => noHook }

/** Base class of the tests and suites of the runner. */
class TestResource extends Resource {
  constructor(type: string, options?: hooks.AsyncResourceOptions) {
    super(type, options)
    onInit?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    self?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => running.run(this, () => Reflect.apply(work, self, args)))
  }
}

// The runner takes these three when it is loaded.
Object.assign(hooks, {
  createHook: ({ init }: { init: Init }) => {
    onInit = init
    return noHook
  },
  executionAsyncId: () => running.getStore()?.asyncId() ?? 0,
  AsyncResource: TestResource,
})
process.getBuiltinModule('node:test')
Object.assign(hooks, { createHook, executionAsyncId, AsyncResource: Resource })
syncBuiltinESMExports()
