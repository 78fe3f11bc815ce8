import { AuditLog, serializeError, startLoop } from '@tendon/access'
import { type DestinationStream, pino } from 'pino'
import { openCache } from '../rendering/cache.ts'
import { logSandbox } from '../rendering/sandbox-messages.ts'
import type { Services } from '../services.ts'
import { type AttemptTools, attemptNext } from './attempt.ts'
import { pollHost } from './backstop.ts'
import { requestFilms } from './films.ts'
import { gaugeQueue } from './queue-gauges.ts'
import { deleteAbandoned, sweep } from './sweep.ts'

const MAX_PARALLEL_RENDERS = 2
const PAUSE_MS = { rendering: 500, films: 500, backstop: 1_000, deletion: 2_000, sweep: 10 * 60 * 1000 }

export interface WorkerOptions {
  logStream?: DestinationStream
  /** How long a loop pauses when it has found nothing to do. */
  pauseMs?: Partial<typeof PAUSE_MS>
}

/** Starts the render worker. Several may run at once, on one cache or on several. */
export async function buildWorker(services: Services, { logStream, pauseMs }: WorkerOptions = {}) {
  const { config, now } = services
  const pauses = { ...PAUSE_MS, ...pauseMs }
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
  else if (services.ffmpeg) await logSandbox(services.ffmpeg, log)

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
          ...Array.from({ length: MAX_PARALLEL_RENDERS }, () =>
            loop('rendering', pauses.rendering, () => attemptNext(tools)),
          ),
          loop('film requests', pauses.films, () => requestFilms(tools)),
        ]),
    loop('backstop', pauses.backstop, () => pollHost(tools)),
    loop('deletion', pauses.deletion, () => done(deleteAbandoned(tools))),
    loop('sweep', pauses.sweep, () => done(sweep(tools))),
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
