import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Json, Person } from '../../../testing/core.ts'
import { MP4 } from './media.testing.ts'

interface TusAnswer {
  status: number
  headers: Headers
  body: Json
}

const encoded = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** Requests of the tus protocol as somebody. `url` may be that of any server. */
export function tusOf(url: string, as: Person) {
  async function send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Buffer,
  ): Promise<TusAnswer> {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${as.token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  const start = (
    exercise: string,
    length: number | string = MP4.length,
    metadata: Record<string, string> = { filename: 'squat.mp4', filetype: 'video/mp4' },
  ) =>
    send('POST', `/v1/exercises/${exercise}/video/uploads`, {
      'upload-length': String(length),
      'upload-metadata': encoded(metadata),
    })

  /** The path of a new upload. */
  async function started(exercise: string, length?: number, metadata?: Record<string, string>): Promise<string> {
    const answer = await start(exercise, length, metadata)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.headers.get('location') ?? ''
  }

  const patch = (path: string, offset: number, body: Buffer) =>
    send('PATCH', path, { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }, body)

  const offset = async (path: string) => Number((await send('HEAD', path)).headers.get('upload-offset'))

  const finish = (path: string) => send('POST', `${path}/finish`)

  /** A complete upload that is not finished. */
  async function complete(exercise: string, content = MP4, type = 'video/mp4'): Promise<string> {
    const path = await started(exercise, content.length, { filename: 'squat.mp4', filetype: type })
    const answer = await patch(path, 0, content)
    assert.deepEqual([answer.status, answer.headers.get('upload-offset')], [204, String(content.length)])
    return path
  }

  /** Declares `length` bytes and sends fewer. */
  function open(path: string, at: number, length: number, bytes: Buffer) {
    const sending = request(url + path, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${as.token}`,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': at,
        'content-length': length,
      },
    })
    const broken = new Promise<void>((resolve) => sending.once('close', resolve))
    sending.on('error', () => {})
    const sent = new Promise<void>((resolve) => sending.write(bytes, () => resolve()))
    return { sent, broken, cut: () => sending.destroy() }
  }

  return { send, start, started, patch, offset, finish, complete, open }
}
