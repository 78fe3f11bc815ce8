import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase, TEST_ROLE_SECRET } from '@tendon/testing'
import { TELEMETRY_FLAGS } from '../scripts/service-flags.ts'
import { type Busy, withBusy } from './busy.ts'
import { goodputOf, inTurns, type LoadResult, load, together } from './load.ts'
import { loadByNode } from './node-clients.ts'
import { Report } from './report.ts'
import { benchFinalise, benchRestart } from './telemetry-at-rest.ts'
import {
  type BenchRun,
  eventRequest,
  newRuns,
  poseBody,
  poseRequests,
  posesInTurn,
  RUN_TOKEN_KEYS,
} from './telemetry-clients.ts'

const CONNECTIONS = 224
/** Node clients: this many saturate the service; more would only wait longer. */
const NODE_CONNECTIONS = 96
/** One second of one camera at 9 and at 27 frames: 4 and 11 KB. */
const SMALL_BODY = poseBody(9)
const LARGE_BODY = poseBody(27)
const RUNS = 20_000
/** Each of a quarter of the seconds, alternating. */
const SLICES = 9
/** Until the code is compiled and the token of every run was verified once. */
const WARM_UP_SECONDS = 5
const OVERLOAD = 10
/** Until the last client of the overload has had its first response. */
const OVERLOAD_SETTLE_SECONDS = 1
/** Three times the load of ten thousand patients at half an hour each. */
const ENDS_PER_SECOND = 20
const STEADY_RUNS = 1_000
/** Until the young generation, which grows with use, has its size. */
const STEADY_WARM_UP_SECONDS = 40
/** "about 110 events per second at 1000 concurrent sessions". */
const STEADY_EVENTS_PER_SECOND = 110

interface TelemetryBench {
  /** A folder on a real disk. */
  dataDir: string
  seconds: number
}

interface Message {
  port: number
  recoveredMs: number
  cpuSeconds: number
  rss: number
}

interface TelemetryServer {
  port: number
  recoveredMs: number
  state(): Promise<Message>
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/**
 * Pose ingest compared with a server that discards the same bodies; then a steady load, an overload, and work at rest.
 */
export async function benchTelemetry({ dataDir, seconds }: TelemetryBench): Promise<void> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(dataDir, 'telemetry-'))
  const env = {
    NODE_ENV: 'test',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
    RUN_TOKEN_KEYS,
    TELEMETRY_ORGANIZATION_POSE_PER_SECOND: '1000000',
    TELEMETRY_ORGANIZATION_MEDIA_PER_SECOND: '1000000',
    TELEMETRY_LOG_MAX_MB: '1000000',
  }
  const report = new Report()
  try {
    // Runs alone: ten minutes after the others have sent their bodies, their runs would be finalised beside it.
    const steady = await startServer('telemetry', { ...env, DATA_DIR: join(folder, 'steady') })
    await benchSteady(steady, await newRuns(randomUUID(), STEADY_RUNS), report)
    await steady.stop()
    const bare = await startServer('discard', env)
    const service = await startServer('telemetry', env)
    const ingest = { bare, service, runs: await newRuns(randomUUID(), RUNS), slice: seconds / 4 }
    await benchIngest(ingest, report)
    await benchOverload(ingest, report)
    await Promise.all([bare.stop(), service.stop()])
    await benchFinalise(database, folder, report)
    await benchRestart((logDir) => startServer('telemetry', { ...env, TELEMETRY_LOG_DIR: logDir }), folder, report)
  } finally {
    report.print()
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  }
}

async function startServer(kind: 'discard' | 'telemetry', env: Record<string, string>): Promise<TelemetryServer> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'telemetry-servers.ts'), [kind], {
    env: { ...process.env, ...env },
    execArgv: [...TELEMETRY_FLAGS],
  })
  let waiting = Promise.withResolvers<Message>()
  child.on('message', (given) => waiting.resolve(given as Message))
  child.on('exit', (code) => waiting.reject(new Error(`the ${kind} server ended with code ${code}`)))
  const message = async () => {
    const given = await waiting.promise
    waiting = Promise.withResolvers()
    waiting.promise.catch(() => {})
    return given
  }
  const { port, recoveredMs } = await message()
  const state = () => {
    child.send('state')
    return message()
  }
  return {
    port,
    recoveredMs,
    state,
    cpuSeconds: async () => (await state()).cpuSeconds,
    async stop() {
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

interface IngestBench {
  bare: TelemetryServer
  service: TelemetryServer
  runs: BenchRun[]
  /** Seconds of each slice. */
  slice: number
}

/** Alternating, so that both run under the same conditions; the bare server sends the same response. */
async function benchIngest({ bare, service, runs, slice }: IngestBench, report: Report): Promise<void> {
  for (const [name, body, aim] of [
    ['4 KB', SMALL_BODY, 0.4],
    ['11 KB', LARGE_BODY, 0.3],
  ] as const) {
    const request = poseRequests(body, runs, CONNECTIONS)
    const next = posesInTurn(body, runs)
    const clients = {
      'lean clients': ({ port }: TelemetryServer, duration: number) =>
        load({ port, connections: CONNECTIONS, seconds: duration, request }),
      'Node’s own clients': ({ port }: TelemetryServer, duration: number) =>
        loadByNode({ port, connections: NODE_CONNECTIONS, seconds: duration, next }),
    }
    for (const [who, measure] of Object.entries(clients)) {
      await measure(bare, WARM_UP_SECONDS)
      await measure(service, WARM_UP_SECONDS)
      const [thrown, stored]: [LoadResult[], LoadResult[]] = [[], []]
      let busy: Busy | undefined
      for (let turn = 0; turn < SLICES; turn += 1) {
        thrown.push(await measure(bare, slice))
        const [result, shares] = await withBusy(service, () => measure(service, slice))
        stored.push(result)
        busy = shares
      }
      const [without, durable] = [together(thrown), together(stored)]
      report.load(`${name} bodies (${body.length} bytes), thrown away, ${who}`, without)
      report.load(`${name} bodies, on disk before 202, ${who}`, durable)
      report.ratio(`durable ÷ discarded, ${name}, ${who}`, inTurns(stored, thrown), aim)
      report.below(`p99 of durable ingest, ${name}, ${who} (ms)`, durable.p99, 50)
      if (busy) report.bound(`durable ingest of ${name} by ${who}`, busy)
    }
  }
}

/** A thousand runs at one batch a second, with their events; memory at the end compared with that after the warm-up. */
async function benchSteady(service: TelemetryServer, runs: BenchRun[], report: Report): Promise<void> {
  const seconds = Number(process.env.BENCH_STEADY_SECONDS ?? 80)
  const request = poseRequests(LARGE_BODY, runs, CONNECTIONS)
  const steady = (duration: number) =>
    Promise.all([
      load({ port: service.port, connections: CONNECTIONS, seconds: duration, rate: STEADY_RUNS, request }),
      load({
        port: service.port,
        connections: 8,
        seconds: duration,
        rate: STEADY_EVENTS_PER_SECOND,
        request: (_, count) => eventRequest(runs[count % runs.length] as BenchRun, 'video_played'),
      }),
    ])
  const warmUp = Math.max(STEADY_WARM_UP_SECONDS, seconds / 4)
  await steady(warmUp)
  const before = await service.state()
  const [pose, media] = await steady(seconds - warmUp)
  const after = await service.state()
  report.load(`1,000 runs at a batch a second, ${seconds} s`, pose)
  report.load('their events', media)
  report.below('p99 of 1,000 runs (ms)', Math.max(pose.p99, media.p99), 20)
  report.below('resident memory gained meanwhile (MB)', (after.rss - before.rss) / 1e6, 50)
}

/**
 * Ten times the peak number of clients, which retry immediately whatever the response. They share the cores with the
 * server: the loss of the bare server shows what they cost. Alternates with the peak; sessions end during both.
 */
async function benchOverload({ bare, service, runs, slice }: IngestBench, report: Report): Promise<void> {
  const many = CONNECTIONS * OVERLOAD
  const request = poseRequests(SMALL_BODY, runs, many)
  const measure = (server: TelemetryServer, connections: number, duration: number) =>
    load({ port: server.port, connections, seconds: duration, settle: OVERLOAD_SETTLE_SECONDS, request })
  const ending = await newRuns(randomUUID(), 10_000)
  let ended = 0
  const ends = () =>
    load({
      port: service.port,
      connections: 16,
      seconds: OVERLOAD_SETTLE_SECONDS + slice,
      rate: ENDS_PER_SECOND,
      request: () => eventRequest(ending[(ended += 1)] as BenchRun, 'session_end'),
    })
  await measure(bare, many, 1)
  await measure(service, many, 2)
  const results: Record<'barePeak' | 'bareOverloaded' | 'peak' | 'overloaded' | 'ended', LoadResult[]> = {
    barePeak: [],
    bareOverloaded: [],
    peak: [],
    overloaded: [],
    ended: [],
  }
  for (let turn = 0; turn < SLICES; turn += 1) {
    results.barePeak.push(await measure(bare, CONNECTIONS, slice))
    results.bareOverloaded.push(await measure(bare, many, slice))
    const [peak] = await Promise.all([measure(service, CONNECTIONS, slice), ends()])
    results.peak.push(peak)
    const [flood, end] = await Promise.all([measure(service, many, slice), ends()])
    results.overloaded.push(flood)
    results.ended.push(end)
  }
  const [overloaded, end] = [together(results.overloaded), together(results.ended)]
  report.load('4 KB bodies while sessions end', together(results.peak))
  report.row(`${OVERLOAD} times the clients: accepted`, goodputOf(overloaded))
  report.row(`${OVERLOAD} times the clients: shed`, overloaded.perSecond - goodputOf(overloaded))
  report.load('sessions ended meanwhile', end)
  report.ratio('bare server: overload ÷ peak', inTurns(results.bareOverloaded, results.barePeak))
  report.ratio('goodput ÷ peak', inTurns(results.overloaded, results.peak), 0.9)
  report.below('p99 of session_end under overload (ms)', end.p99, 250)
  report.below('session_end refused', end.refused, 1)
}
