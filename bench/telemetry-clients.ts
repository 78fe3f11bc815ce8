import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { encodeBatch, VALUES_PER_FRAME } from '@tendon/pose'
import { mintRunToken, parseRunTokenKeys } from '@tendon/run-token'

export const RUN_TOKEN_KEYS = `bench:${randomBytes(32).toString('base64')}`

export interface BenchRun {
  id: string
  token: string
}

export function newRuns(organizationId: string, count: number): Promise<BenchRun[]> {
  const keys = parseRunTokenKeys(RUN_TOKEN_KEYS)
  const now = new Date()
  return Promise.all(
    Array.from({ length: count }, async () => {
      const id = randomUUID()
      const run = { runId: id, organizationId, patientId: randomUUID(), pose: true }
      return { id, token: (await mintRunToken(keys, run, now)).token }
    }),
  )
}

/** Rounded to four digits: compresses to four fifths, like real camera data. */
const SCALE = 10_000

/** A body moving in front of a camera. */
export function poseBody(frames: number, start = 0): Buffer {
  const landmarks = Float32Array.from({ length: frames * VALUES_PER_FRAME }, (_, at) => {
    const frame = Math.floor(at / VALUES_PER_FRAME)
    const value = 0.5 + 0.3 * Math.sin((at % VALUES_PER_FRAME) + frame * 0.05) + Math.random() * 0.004
    return Math.round(value * SCALE) / SCALE
  })
  const timestamps = Uint32Array.from({ length: frames }, (_, frame) => start + Math.round((frame * 1000) / 30))
  return gzipSync(encodeBatch({ fpsHint: 30, landmarks, timestamps }))
}

/** One prepared request per connection, with the token replaced for each run: all tokens have the same length. */
export function poseRequests(body: Buffer, runs: readonly BenchRun[], connections: number) {
  const head = (token: string) =>
    `POST /v1/pose/frames HTTP/1.1\r\nhost: bench\r\ncontent-type: application/octet-stream\r\ncontent-length: ${body.length}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const first = runs[0]?.token ?? ''
  const place = head(first).indexOf(first)
  const buffers = Array.from({ length: connections }, () => Buffer.concat([Buffer.from(head(first)), body]))
  let next = 0
  return (connection: number): Uint8Array => {
    const buffer = buffers[connection] ?? Buffer.alloc(0)
    const run = runs[(next += 1) % runs.length]
    buffer.write(run?.token ?? '', place, 'latin1')
    return buffer
  }
}

/** The same for Node's HTTP client. */
export function posesInTurn(body: Buffer, runs: readonly BenchRun[]) {
  let next = 0
  return () => ({
    path: '/v1/pose/frames',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(body.length),
      authorization: `Bearer ${runs[(next += 1) % runs.length]?.token}`,
    },
    body,
  })
}

export function eventRequest(run: BenchRun, event: string, at = new Date()): string {
  const body = JSON.stringify({
    event,
    session_id: run.id,
    media_id: 'squat',
    media_type: 'video',
    timestamp: at.toISOString(),
    data: { position_seconds: 1 },
  })
  return `POST /v1/media/events HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nauthorization: Bearer ${run.token}\r\n\r\n${body}`
}
