import type { Readable } from 'node:stream'

export type PutOptions = { contentType: string; maxBytes: number; ifAbsent?: boolean }
/** Both ends are inclusive, as in an HTTP range. */
export type ByteRange = { start: number; end?: number }
export type SignedUrlOptions = { method: 'GET'; expiresInSeconds: number; downloadName?: string; contentType?: string }

export type StoredObject = { bytes: number; contentType: string }
/** `bytes` is the length of `body`, `totalBytes` that of the whole object. */
export type ObjectBody = StoredObject & { body: Readable; totalBytes: number }

export interface ObjectStore {
  /**
   * Throws `ObjectTooLarge` above `maxBytes` and `ObjectExists` with `ifAbsent`; a put that throws stores nothing. It
   * also destroys the stream, unless it is an HTTP request, which still needs a response.
   */
  put(key: string, body: Readable | Buffer, options: PutOptions): Promise<{ bytes: number; sha256: string }>
  /** The caller reads `body` to its end or destroys it. Throws `RangeNotSatisfiable`. */
  get(key: string, range?: ByteRange): Promise<ObjectBody | undefined>
  head(key: string): Promise<StoredObject | undefined>
  /** Deleting a missing object is not an error. */
  delete(key: string): Promise<void>
  list(prefix: string): AsyncIterable<string>
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>
  /** Throws when the store cannot be reached or written. */
  check(): Promise<void>
}

export class ObjectTooLarge extends Error {
  override name = 'ObjectTooLarge'
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`The object is larger than ${maxBytes} bytes.`)
    this.maxBytes = maxBytes
  }
}

export class ObjectExists extends Error {
  override name = 'ObjectExists'
  constructor() {
    super('An object with this key exists already.')
  }
}

export class RangeNotSatisfiable extends Error {
  override name = 'RangeNotSatisfiable'
  constructor() {
    super('The object has no bytes in this range.')
  }
}

export class InvalidObjectRequest extends Error {
  override name = 'InvalidObjectRequest'
}
