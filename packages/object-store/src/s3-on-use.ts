import { owning } from './metered.ts'
import type { ObjectStore } from './port.ts'
import type { S3StoreOptions } from './s3-store.ts'

/** A bucket. The SDK of S3 is large: a process that stores in a folder never loads it. */
export function createS3Store(options: S3StoreOptions): ObjectStore {
  const open = async () => (await import('./s3-store.ts')).openS3Store(options)
  let opened: Promise<ObjectStore> | undefined
  const store = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    put(key, body, putOptions) {
      // A stream that fails while the SDK is loaded must fail the put, not the process. The error is kept for the reader.
      if (!Buffer.isBuffer(body)) body.on('error', () => undefined)
      return owning(body, async () => (await store()).put(key, body, putOptions))
    },
    get: async (key, range) => (await store()).get(key, range),
    head: async (key) => (await store()).head(key),
    delete: async (key) => (await store()).delete(key),
    async *list(prefix) {
      yield* (await store()).list(prefix)
    },
    signedUrl: async (key, urlOptions) => (await store()).signedUrl(key, urlOptions),
    check: async () => (await store()).check(),
  }
}
