import { connect, type Socket } from 'node:net'

// A lean HTTP/1.1 load generator: it shares the machine with what it measures, so it must cost little.

export interface LoadOptions {
  port: number
  connections: number
  seconds: number
  /** The bytes of the next request of a connection. */
  request: (connection: number, count: number) => string | Uint8Array
  /** Requests a second in all, sent by the clock whether or not answers have come; as fast as answers come without it. */
  rate?: number
}

export interface LoadResult {
  perSecond: number
  p50: number
  p95: number
  p99: number
  /** In milliseconds, the shortest first. */
  latencies: number[]
  /** Answers that were not 2xx: a bench with any is void. */
  refused: number
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = []
  let refused = 0
  // The clock runs once all are connected.
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => connected(options.port)))
  const startedAt = performance.now()
  const until = startedAt + options.seconds * 1000

  await Promise.all(
    sockets.map((socket, index) => {
      const interval = options.rate === undefined ? 0 : (options.connections / options.rate) * 1000
      return drive(options.request, socket, index, interval, until, (milliseconds, status) => {
        latencies.push(milliseconds)
        if (status < 200 || status > 299) refused += 1
      })
    }),
  )
  return resultOf(latencies, latencies.length / ((performance.now() - startedAt) / 1000), refused)
}

/** Slices of equal length as one. */
export function together(slices: readonly LoadResult[]): LoadResult {
  const sum = (of: (slice: LoadResult) => number) => slices.reduce((total, slice) => total + of(slice), 0)
  return resultOf(
    slices.flatMap(({ latencies }) => latencies),
    sum(({ perSecond }) => perSecond) / slices.length,
    sum(({ refused }) => refused),
  )
}

export function resultOf(latencies: number[], perSecond: number, refused: number): LoadResult {
  latencies.sort((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => atShare(latencies, share)) as [number, number, number]
  return { perSecond, p50, p95, p99, latencies, refused }
}

const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** The value below which this share of them lies. */
export const at = (values: readonly number[], share: number): number =>
  atShare(
    values.toSorted((a, b) => a - b),
    share,
  )

/** What was not refused, a second. */
export const goodputOf = ({ perSecond, latencies, refused }: LoadResult): number =>
  perSecond * (1 - refused / latencies.length)

/** Of slices taken in turns: the median of each beside its neighbour. The machine changes within seconds. */
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

/** One connection, one request at a time. With an interval, latency counts from when the request was due. */
async function drive(
  request: LoadOptions['request'],
  socket: Socket,
  index: number,
  interval: number,
  until: number,
  onAnswer: (milliseconds: number, status: number) => void,
): Promise<void> {
  const read = answersOf(socket)
  let due = performance.now() + Math.random() * interval
  for (let count = 0; performance.now() < until; count += 1) {
    if (interval > 0) {
      const wait = due - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    } else due = performance.now()
    const from = Math.min(due, performance.now()) // timers drop fractions, and may be early
    socket.write(request(index, count))
    const status = await read()
    onAnswer(performance.now() - from, status)
    due += interval
  }
  socket.destroy()
}

/** Reads answers with Content-Length and gives their status. */
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

/** Runs `work` with so many at a time, for so long; gives runs a second. */
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
