import { connect, type Socket } from 'node:net'

// A small HTTP/1.1 load generator: it shares the machine with the server, so it must cost little.

interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** The bytes of the next request of a connection. */
  request: (connection: number, count: number) => string | Uint8Array
  /**
   * Total requests a second, sent on schedule whether or not responses have arrived; as fast as responses arrive if
   * absent.
   */
  rate?: number
  /** Seconds from the first request until measuring starts. */
  settle?: number
}

export interface LoadResult {
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** In milliseconds, ascending. */
  latencies: number[]
  /** Responses that were not 2xx: they invalidate the bench. */
  refused: number
}

/** For clients that send as fast as responses arrive, unless there are so many that they need longer. */
const SETTLE_SECONDS = 0.25

export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, seconds, rate, settle = rate === undefined ? SETTLE_SECONDS : 0 } = options
  const interval = rate === undefined ? 0 : (connections / rate) * 1000
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)))
  const tally = new Tally(seconds, settle)
  await Promise.all(sockets.map((socket, index) => drive(options.request, socket, index, interval, tally)))
  return tally.result()
}

/**
 * Measuring starts when all clients are running and stops while they still are: with thousands of them, waiting for
 * the first and last responses would be a large part of a short slice. Responses after the end count as latency.
 */
export class Tally {
  readonly until: number
  readonly #from: number
  readonly #latencies: number[] = []
  #inTime = 0
  #refused = 0

  constructor(seconds: number, settle = SETTLE_SECONDS) {
    this.#from = performance.now() + settle * 1000
    this.until = this.#from + seconds * 1000
  }

  add(sentAt: number, status: number): void {
    const now = performance.now()
    if (now < this.#from) return
    this.#latencies.push(now - sentAt)
    if (now < this.until) this.#inTime += 1
    if (status < 200 || status > 299) this.#refused += 1
  }

  result(): LoadResult {
    return resultOf(this.#latencies, (this.#inTime / (this.until - this.#from)) * 1000, this.#refused)
  }
}

/** Merges slices of equal length. */
export function together(slices: readonly LoadResult[]): LoadResult {
  const sum = (of: (slice: LoadResult) => number) => slices.reduce((total, slice) => total + of(slice), 0)
  return resultOf(
    slices.flatMap(({ latencies }) => latencies),
    sum(({ perSecond }) => perSecond) / slices.length,
    sum(({ refused }) => refused),
  )
}

function resultOf(latencies: number[], perSecond: number, refused: number): LoadResult {
  latencies.sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => atShare(latencies, share)) as [number, number, number]
  return { perSecond, p50, p95, p99, latencies, refused }
}

const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** The percentile. */
export const at = (values: readonly number[], share: number): number =>
  atShare(
    values.toSorted((a, b) => a - b),
    share,
  )

/** Successful responses a second. */
export const goodputOf = ({ perSecond, latencies, refused }: LoadResult): number =>
  perSecond * (1 - refused / latencies.length)

/** For alternating slices: the median of the ratios of neighbours. Conditions on the machine change within seconds. */
export const inTurns = (slices: readonly LoadResult[], beside: readonly LoadResult[]): number =>
  at(
    slices.map((slice, index) => goodputOf(slice) / goodputOf(beside[index] ?? slice)),
    0.5,
  )

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

/** One connection, one request at a time. With an interval, latency counts from the scheduled time. */
async function drive(
  request: LoadOptions['request'],
  socket: Socket,
  index: number,
  interval: number,
  tally: Tally,
): Promise<void> {
  const read = answersOf(socket)
  let due = performance.now() + Math.random() * interval
  for (let count = 0; performance.now() < tally.until; count += 1) {
    if (interval > 0) {
      const wait = due - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    } else due = performance.now()
    const from = Math.min(due, performance.now()) // timers drop fractions and may be early
    socket.write(request(index, count))
    tally.add(from, await read())
    due += interval
  }
  socket.destroy()
}

/** Parses responses with Content-Length and returns their status. */
function answersOf(socket: Socket): () => Promise<number> {
  let buffered = ''
  let waiting: ((status: number) => void) | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    buffered += chunk
    const head = buffered.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(buffered)
    const end = head + 4 + Number(length?.[1] ?? 0)
    if (buffered.length < end) return
    const status = Number(buffered.slice(9, 12))
    buffered = buffered.slice(end)
    waiting?.(status)
  })
  return () =>
    new Promise((resolve) => {
      waiting = resolve
    })
}

/** Runs `work` with this concurrency for this long; returns runs a second. */
export async function loop(
  seconds: number,
  concurrency: number,
  work: (lane: number) => Promise<unknown>,
): Promise<number> {
  const until = performance.now() + seconds * 1000
  const startedAt = performance.now()
  let runs = 0
  await Promise.all(
    Array.from({ length: concurrency }, async (_, lane) => {
      while (performance.now() < until) {
        await work(lane)
        runs += 1
      }
    }),
  )
  return runs / ((performance.now() - startedAt) / 1000)
}
