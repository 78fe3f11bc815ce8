import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { allowLongBody, BodyTimeout, BodyTooLarge, bodyChunks } from '@tendon/http'
import { ObjectTooLarge } from '@tendon/object-store'

export interface FilePart {
  stream: Readable
  /** Unchanged, as the client sent it. */
  name: string
  /** The media type that the sender gave it. */
  declared: string
}

/** `message` is for the sender. */
export class MalformedUpload extends Error {
  override name = 'MalformedUpload'
}

/** Boundaries and headers around the file. */
const MAX_ENVELOPE_BYTES = 16 * 1024
const LIMITS = { parts: 1, fieldSize: 0, headerPairs: 20, headerSize: MAX_ENVELOPE_BYTES }

const ONE_FILE = 'must be exactly one file, without other fields'
const BROKEN = 'is incomplete: send it again'

/**
 * Reads a multipart/form-data body that holds exactly one file, and hands the file on while it comes, no faster than
 * `consume` takes it. Resolves when both the body and `consume` have ended well; else both are stopped, and it rejects when
 * both have stopped.
 */
export async function readOneFile<Result>(
  raw: IncomingMessage,
  { maxBytes, maxMs, idleMs }: { maxBytes: number; maxMs: number; idleMs: number },
  consume: (file: FilePart) => Promise<Result>,
): Promise<Result> {
  const bodyMaxBytes = maxBytes + MAX_ENVELOPE_BYTES
  if (Number(raw.headers['content-length'] ?? 0) > bodyMaxBytes) throw new ObjectTooLarge(maxBytes)
  const parser = openParser(raw)
  const found = Promise.withResolvers<FilePart>()
  let file: FilePart | undefined
  let failure: { error: unknown } | undefined

  function stop(error: unknown): void {
    failure ??= { error }
    found.reject(failure.error)
    const reason = error instanceof Error ? error : new Error('stopped')
    file?.stream.destroy(reason)
    parser.destroy(reason)
  }
  const stopAs = (words: string) => () => stop(new MalformedUpload(words))
  function stopBroken(error: unknown): void {
    if (error instanceof BodyTooLarge) stop(new ObjectTooLarge(maxBytes))
    else stop(error instanceof ObjectTooLarge || error instanceof BodyTimeout ? error : new MalformedUpload(BROKEN))
  }

  parser
    .on('file', (_field, stream, name, _encoding, declared) => {
      file = { stream: stream.on('error', stopAs(BROKEN)), name, declared }
      found.resolve(file)
    })
    .on('field', stopAs(ONE_FILE))
    .on('partsLimit', stopAs(ONE_FILE))
    .on('error', stopBroken)
    .on('finish', () => file ?? stop(new MalformedUpload(ONE_FILE)))

  allowLongBody(raw.socket, true)
  try {
    const consumed = found.promise.then(consume)
    consumed.catch(stop)
    const signal = AbortSignal.timeout(maxMs)
    const read = pipeline(bodyChunks(raw, { maxBytes: bodyMaxBytes, idleMs }), parser, { signal })
    read.catch(stopBroken)
    await Promise.allSettled([consumed, read])
    if (failure) throw failure.error
    return await consumed
  } finally {
    allowLongBody(raw.socket, false)
  }
}

function openParser(raw: IncomingMessage) {
  const headers = { ...raw.headers, 'content-type': raw.headers['content-type'] ?? '' }
  const isPartAFile = (_field: unknown, _type: unknown, name: unknown) => name !== undefined
  try {
    return new Busboy({ headers, limits: LIMITS, isPartAFile })
  } catch {
    throw new MalformedUpload('is not multipart/form-data with a boundary')
  }
}
