// A child process of scripts/test.ts: requests and runs one test file after the other.
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endOfProcess } from '@tendon/testing'

const root = join(import.meta.dirname, '..')

process.on('message', async ({ file }: { file?: string }) => {
  if (file === undefined) {
    await endOfProcess()
    return end()
  }
  await import(pathToFileURL(join(root, file)).href).catch((error: unknown) => {
    console.error(`${file} cannot be loaded.`, error)
    process.exit(1)
  })
  await test(file, () => {}) // resolves after the tests of the file
  process.send?.('next')
})
process.send?.('next')

/** A failed test may leave a server open: exit anyway, after the summary. */
function end(): void {
  process.disconnect()
  setTimeout(() => {
    process.emit('beforeExit', 0)
    setTimeout(() => process.exit(), 1_000)
  }, 5_000).unref()
}
