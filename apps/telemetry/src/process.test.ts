import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { complaintOf } from '@tendon/process'
import { randomFrom, soakRuns, soakSeed, TEST_ROLE_SECRET, until } from '@tendon/testing'
import { openFolder } from './log/files.ts'
import { uuidOf } from './log/ids.ts'
import { RunLog } from './log/run-log.ts'
import { startTelemetry } from './start-telemetry.ts'
import {
  callsTo,
  createSurroundings,
  createTestClinic,
  gzipOf,
  marksIn,
  mediaEvent,
  RUN_TOKEN_KEYS,
  type Surroundings,
  type TestClinic,
  type TestRun,
} from './testing.ts'
import { holdingBack, refuses, type ServiceProcess, startServiceProcess } from './testing-process.ts'

const RUNS = 16
const KILLS = 2
/** The maximum duration of a stop. */
const STOP_TIMEOUT_MS = 15_000

/** What a client sends for one run, and the answers. */
class Client {
  readonly run: TestRun
  readonly events = { sent: new Set<number>(), acknowledged: new Set<number>() }
  readonly marks = { sent: new Set<number>(), acknowledged: [] as number[] }
  ended = false
  /** An end without an answer may have been accepted: events after it are then late and not counted. */
  #mayHaveEnded = false
  #second = 0
  #mark = 0
  #unanswered: number[] = []

  constructor(run: TestRun) {
    this.run = run
  }

  /**
   * Sends until the service is killed. Unanswered events are sent again to the next process, as clients do; frames
   * never.
   */
  async drive(calls: ReturnType<typeof callsTo>, random: () => number): Promise<void> {
    for (let batches = 0; ; ) {
      const dice = random()
      try {
        if (dice < 0.02 && batches > 2) await this.end(calls)
        else if (dice < 0.5 && batches < 5) {
          batches += 1
          await this.pose(calls)
        } else if (this.#unanswered.length + this.#second < 40) await this.event(calls, this.#unanswered.shift())
        else if (batches >= 5) return
      } catch {
        return
      }
    }
  }

  async pose(calls: ReturnType<typeof callsTo>): Promise<void> {
    const mark = (this.#mark += 1)
    this.marks.sent.add(mark)
    const { status, body } = await calls.pose(this.run, gzipOf(mark, 2, mark * 100))
    if (status === 202 && body.frames_accepted > 0) this.marks.acknowledged.push(mark)
    if (this.ended) assert.equal(body.frames_accepted, 0)
  }

  /** A `buffering_end` becomes a row of its own, so that each event can be identified. */
  async event(calls: ReturnType<typeof callsTo>, again?: number): Promise<void> {
    const second = again ?? (this.#second += 1)
    if (!this.ended) this.events.sent.add(second)
    try {
      const { status } = await calls.event(this.run, mediaEvent('buffering_end', second, { duration_ms: 0 }))
      if (status === 202 && !this.#mayHaveEnded) this.events.acknowledged.add(second)
    } catch (error) {
      this.#unanswered.push(second)
      throw error
    }
  }

  async end(calls: ReturnType<typeof callsTo>): Promise<void> {
    this.#mayHaveEnded = true
    const { status } = await calls.event(this.run, mediaEvent('session_end', 1_000 + this.#mark))
    if (status === 202) this.ended = true
  }
}

const countAcknowledged = (clients: readonly Client[]) =>
  clients.reduce((sum, { events, marks }) => sum + events.acknowledged.size + marks.acknowledged.length, 0)

/** Waits until this much was acknowledged, or nothing more is sent: in the middle of the load on any machine. */
async function acknowledged(count: number, clients: readonly Client[], driving: readonly Promise<void>[]) {
  const over = new AbortController()
  void Promise.all(driving).then(() => over.abort())
  while (countAcknowledged(clients) < count && !over.signal.aborted)
    await new Promise((resolve) => setTimeout(resolve, 1))
}

describe('the telemetry service as a process', () => {
  let around: Surroundings
  let clinic: TestClinic
  let env: Record<string, string>
  let folder: string
  /** Has the folder to itself. Tests reuse the running process, and start one only where there is none. */
  let running: ServiceProcess | undefined
  const service = async () => (running ??= await startServiceProcess(env))
  const kill = async () => {
    running?.child.kill('SIGKILL')
    await running?.exited
    running = undefined
  }
  before(async () => {
    around = await createSurroundings()
    clinic = await createTestClinic(around.database)
    folder = await mkdtemp(join(around.dataDir, 'log-'))
    env = {
      NODE_ENV: 'test',
      DATABASE_URL: around.database.url,
      DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
      DATA_DIR: around.dataDir,
      TELEMETRY_LOG_DIR: folder,
      RUN_TOKEN_KEYS,
      OBJECT_SIGNING_KEY: 'a signing key for tests, long enough',
    }
  })
  after(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
    await around.close()
  })

  const rowsOf = <Row extends object>(table: string, run: TestRun) =>
    around.database.query<Row & Record<string, unknown>>(`select * from ${table} where run_id = $1`, [run.id])

  test('kill -9 at random moments under load: acknowledged data is counted once, in order, and finalised once', async () => {
    const random = randomFrom(soakSeed())
    for (let round = 0; round < soakRuns(1); round += 1) {
      await kill()
      const clients = await Promise.all(Array.from({ length: RUNS }, async () => new Client(await clinic.newRun())))
      for (let life = 0; life < KILLS; life += 1) {
        const { url } = await service()
        const driving = clients.map((client) =>
          client.drive(
            callsTo(() => url),
            random,
          ),
        )
        await acknowledged(countAcknowledged(clients) + 60 + random() * 150, clients, driving)
        await kill()
        await Promise.all(driving)
      }
      const last = await service()
      const calls = callsTo(() => last.url)
      for (const client of clients)
        await until(async () => {
          await client.end(calls)
          return client.ended
        })
      await until(async () => {
        const [count] = await around.database.query<{ count: string }>(
          'select count(*) from run_finalisations where flushed_at is not null and run_id = any ($1)',
          [clients.map(({ run }) => run.id)],
        )
        return Number(count?.count) === RUNS
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${last.output()}`)
      })
      assert.ok(clients.some(({ marks, events }) => marks.acknowledged.length > 2 && events.acknowledged.size > 2))
      for (const client of clients) await check(client)
      const metrics = await (await fetch(last.metricsUrl)).text()
      assert.match(metrics, /telemetry_finalise_seconds_count{service="telemetry"} [1-9]/)
      assert.match(metrics, /process_resident_memory_bytes{service="telemetry"} [1-9]/)
    }
  })

  async function check({ run, events, marks }: Client): Promise<void> {
    const rows = await rowsOf<{ started_at: Date }>('media_buffering_events', run)
    const zero = Date.parse(mediaEvent('session_start').timestamp)
    const counted = rows.map(({ started_at }) => (started_at.getTime() - zero) / 1000)
    assert.equal(new Set(counted).size, counted.length, 'each once')
    assert.deepEqual(
      [...events.acknowledged].filter((second) => !counted.includes(second)),
      [],
      'none lost',
    )
    assert.deepEqual(
      counted.filter((second) => !events.sent.has(second)),
      [],
      'none made up',
    )
    const replay = await around.replayOf(run.id)
    const found = replay ? marksIn(replay) : []
    assert.deepEqual(
      found.filter((mark) => marks.acknowledged.includes(mark)),
      marks.acknowledged,
      'in order, none lost',
    )
    assert.ok(found.every((mark) => marks.sent.has(mark)) && new Set(found).size === found.length)
    assert.equal((await rowsOf('media_session_metrics', run)).length, 1)
    assert.equal((await rowsOf('run_finalisations', run)).length, 1)
    const keys = await Array.fromAsync(around.objects.list(`replays/${run.organizationId}/${run.id}/`))
    assert.equal(keys.length, found.length > 0 ? 1 : 0)
  }

  test('a folder in use is reported in one sentence; production refuses the default key', async () => {
    await service()
    const complaint = (given: Record<string, string>) => startTelemetry(given).then(() => 'started', complaintOf)
    assert.match(await complaint(env), /^[^\n]*is in use by another telemetry service[^\n]*$/)
    const { RUN_TOKEN_KEYS: _, ...without } = env
    const open = await complaint({ ...without, NODE_ENV: 'production' })
    assert.match(open, /RUN_TOKEN_KEYS must be set to a secret of your own/)
  })

  const queuesFewer = process.platform !== 'linux' && 'this kernel queues fewer'
  test('a thousand clients that connect at once are queued by a busy service and served', {
    skip: queuesFewer,
  }, async () => {
    const { child, url } = await service()
    child.kill('SIGSTOP')
    const sockets = Array.from({ length: 1_000 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    try {
      // A connection that is not queued is retried after a second, then later.
      await until(() => sockets.every(({ connecting }) => !connecting))
      const answers = sockets.map((socket) => once(socket, 'data'))
      for (const socket of sockets) socket.write('GET /v1/healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      child.kill('SIGCONT')
      for (const [answer] of await Promise.all(answers)) assert.match(String(answer), /^HTTP\/1.1 200 /)
    } finally {
      child.kill('SIGCONT')
      for (const socket of sockets) socket.destroy()
    }
  })

  test('SIGTERM: requests in progress are answered, then it exits with 0; nothing acknowledged is lost', async () => {
    const client = new Client(await clinic.newRun())
    const { child, exited, url, output } = await service()
    const half = holdingBack()
    const calls = callsTo(() => url, half.send)
    const underWay = [client.pose(calls), client.pose(calls), client.event(calls), client.event(calls)]
    const settled = Promise.allSettled(underWay)
    await until(() => half.held() === underWay.length)
    const signalled = performance.now()
    child.kill('SIGTERM')
    await until(() => refuses(url))
    assert.equal(half.answers.length, 0, 'each is still under way')
    half.sendRest()
    await settled
    assert.deepEqual(
      half.answers.map(({ status, headers }) => [status, headers.connection]),
      underWay.map(() => [202, 'close']),
    )
    assert.equal(await exited, 0, output())
    assert.ok(performance.now() - signalled < STOP_TIMEOUT_MS)
    const log = new RunLog({ files: await openFolder(folder), maxBytes: 1e9, now: Date.now, onFailure: () => {} })
    const found: string[] = []
    await log.recover(({ run, kind }) => {
      if (uuidOf(run) === client.run.id) found.push(kind)
    })
    await log.close()
    assert.deepEqual(found.toSorted(), ['event', 'event', 'pose', 'pose'])
  })
})
