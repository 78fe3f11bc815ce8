import { AuditLog, serializeError, startLoop } from '@tendon/access'
import { type DestinationStream, pino } from 'pino'
import { openCache } from '../rendering/cache.ts'
import type { Services } from '../services.ts'
import { type AttemptTools, attemptNext } from './attempt.ts'
import { pollHost } from './backstop.ts'
import { requestFilms } from './films.ts'
import { gaugeQueue } from './queue-gauges.ts'
import { deleteAbandoned, sweep } from './sweep.ts'

const MAX_PARALLEL_RENDERS = 2
const IDLE_MS = 500
const POLL_EVERY_MS = 1_000
const DELETE_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 10 * 60 * 1000

export interface WorkerOptions {
  logStream?: DestinationStream
}

/** Starts the render worker. Several may run at once, on one cache or on several. */
export async function buildWorker(services: Services, { logStream }: WorkerOptions = {}) {
  const { config, now } = services
  const options = { level: config.LOG_LEVEL, serializers: { err: serializeError } }
  const log = logStream ? pino(options, logStream) : pino(options)
  const { renderMetrics: metrics } = services
  gaugeQueue(services)
  const cache = await openCache(config.composerCacheDir, {
    onLookUp: (hit) => metrics.cacheLookUps.inc({ hit: String(hit) }),
    now,
  })
  const stopping = new AbortController()
  const auditLog = new AuditLog(services.box)
  const tools: AttemptTools = { services, cache, auditLog, log, metrics, stopping: stopping.signal }
  const rendering = await services.ffmpeg?.version().catch(() => undefined)
  if (rendering === undefined)
    log.warn('ffmpeg is not installed: nothing is rendered (apt-get install ffmpeg, or set FFMPEG_PATH, then restart)')

  const loop = (name: string, idleMs: number, round: () => Promise<boolean>) =>
    startLoop(async () => ({ more: await round() }), {
      idleMs,
      onError: (error) => log.error({ err: error }, `${name} failed`),
    })
  const done = (work: Promise<void>) => work.then(() => false)
  const loops = [
    ...(rendering === undefined
      ? []
      : [
          ...Array.from({ length: MAX_PARALLEL_RENDERS }, () => loop('rendering', IDLE_MS, () => attemptNext(tools))),
          loop('film requests', IDLE_MS, () => requestFilms(tools)),
        ]),
    loop('backstop', POLL_EVERY_MS, () => pollHost(tools)),
    loop('deletion', DELETE_EVERY_MS, () => done(deleteAbandoned(tools))),
    loop('sweep', SWEEP_EVERY_MS, () => done(sweep(tools))),
  ]
  return {
    log,
    tools,
    async stop() {
      stopping.abort(new Error('the worker stops'))
      await Promise.all(loops.map((one) => one.stop()))
    },
  }
}
