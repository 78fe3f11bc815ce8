import type { Readable } from 'node:stream'
import { HostError } from '../port.ts'
import { parseRetryAfter } from '../retries.ts'

interface BunnyOptions {
  apiUrl: string
  libraryId: string
  apiKey: string
  /** Of everything but an upload. */
  requestMaxMs?: number
}

interface BunnyVideo {
  guid: string
  title: string
  status: number
}

export interface BunnyClient {
  find(title: string): Promise<BunnyVideo | undefined>
  read(guid: string): Promise<BunnyVideo | undefined>
  create(title: string): Promise<BunnyVideo>
  /** Throws `HostError` 400 when the video has content already. */
  upload(guid: string, body: Readable, signal: AbortSignal): Promise<void>
  addCaptions(guid: string, language: string, text: Buffer): Promise<void>
  delete(guid: string): Promise<void>
}

const REQUEST_MAX_MS = 10_000
const UPLOAD_MAX_MS = 30 * 60 * 1000
const ANSWER_MAX_BYTES = 1024 * 1024

interface Request {
  method?: string
  json?: unknown
  stream?: Readable
  signal?: AbortSignal
  maxMs?: number
}

/** The API of Bunny Stream. */
export function createBunnyClient({
  apiUrl,
  libraryId,
  apiKey,
  requestMaxMs = REQUEST_MAX_MS,
}: BunnyOptions): BunnyClient {
  const library = `${apiUrl}/library/${encodeURIComponent(libraryId)}/videos`

  async function call(path: string, { method = 'GET', json, stream, signal, maxMs = requestMaxMs }: Request = {}) {
    const timeout = AbortSignal.timeout(maxMs)
    const type = stream ? 'application/octet-stream' : 'application/json'
    const body = stream ?? (json === undefined ? undefined : JSON.stringify(json))
    const response = await fetch(`${library}${path}`, {
      method,
      redirect: 'error',
      headers: {
        AccessKey: apiKey,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']>, duplex: 'half' }),
    }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw new HostError(`the video host did not answer ${method}`, undefined, { cause: error })
    })
    const text = await readBounded(response)
    if (!response.ok) {
      const retryAfterMs = parseRetryAfter(response.headers, Date.now())
      throw new HostError(`the video host answered ${response.status} to ${method}`, response.status, { retryAfterMs })
    }
    return parse(text)
  }

  const unlessMissing = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work
    } catch (error) {
      if (error instanceof HostError && error.status === 404) return undefined
      throw error
    }
  }

  return {
    async find(title) {
      const query = new URLSearchParams({ search: title, page: '1', itemsPerPage: '100' })
      const { items } = (await call(`?${query.toString()}`)) as { items?: unknown }
      return Array.isArray(items) ? items.map(videoOf).find((video) => video.title === title) : undefined
    },
    async read(guid) {
      const found = await unlessMissing(call(`/${encodeURIComponent(guid)}`))
      return found === undefined ? undefined : videoOf(found)
    },
    create: async (title) => videoOf(await call('', { method: 'POST', json: { title } })),
    async upload(guid, stream, signal) {
      await call(`/${encodeURIComponent(guid)}`, { method: 'PUT', stream, signal, maxMs: UPLOAD_MAX_MS })
    },
    async addCaptions(guid, language, text) {
      const json = { srclang: language, label: language, captionsFile: text.toString('base64') }
      await call(`/${encodeURIComponent(guid)}/captions/${encodeURIComponent(language)}`, { method: 'POST', json })
    },
    async delete(guid) {
      await unlessMissing(call(`/${encodeURIComponent(guid)}`, { method: 'DELETE' }))
    },
  }
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response.body ?? []) {
      bytes += part.byteLength
      if (bytes > ANSWER_MAX_BYTES) break
      parts.push(part)
    }
  } catch (error) {
    throw new HostError('the answer of the video host was cut off', undefined, { cause: error })
  }
  if (bytes > ANSWER_MAX_BYTES) throw new HostError('the answer of the video host is too long')
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new HostError('the video host did not answer JSON')
  }
}

const isRecord = (value: unknown): value is Partial<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function videoOf(answer: unknown): BunnyVideo {
  const { guid, title, status } = isRecord(answer) ? answer : {}
  if (typeof guid !== 'string' || !/^[\w-]{1,64}$/.test(guid)) throw new HostError('the video host named no video')
  return { guid, title: typeof title === 'string' ? title : '', status: typeof status === 'number' ? status : 0 }
}
