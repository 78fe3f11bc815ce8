import { type Loop, type LoopOptions, serializeError, startLoop } from '@tendon/access'
import { type DestinationStream, type Logger, pino } from 'pino'
import { MAX_SEAL_ENTRIES, sealEntries } from './features/privacy/audit-logs/seal-queries.ts'
import { features } from './features.ts'
import { jobs as allJobs } from './jobs.ts'
import { startJobRunner } from './platform/job-runner.ts'
import type { Job } from './platform/jobs.ts'
import { createOrphanSweep } from './platform/orphaned-jobs.ts'
import { dispatchOutbox, type Subscriber } from './platform/outbox.ts'
import { gaugeWork } from './platform/worker-gauges.ts'
import type { WorkerLoop } from './platform/worker-loop.ts'
import type { Services } from './services.ts'
import { subscribers as allSubscribers } from './subscribers.ts'

const OUTBOX_IDLE_MS = 250
const SEAL_EVERY_MS = 10_000
const ORPHAN_SWEEP_EVERY_MS = 60_000

const allLoops = features.flatMap(({ loops }) => loops)

export interface WorkerOptions {
  jobs?: readonly Job[]
  subscribers?: readonly Subscriber[]
  featureLoops?: readonly WorkerLoop[]
  logStream?: DestinationStream
}

export interface Worker {
  log: Logger
  /** Takes no more work; resolves when running work has ended. */
  stop(): Promise<void>
  /** Rejects when the worker cannot continue. */
  ended: Promise<void>
}

/** Starts the background worker: jobs, the outbox, the seals of the audit log. Several may run at once. */
export async function buildWorker(
  services: Services,
  databaseUrl: string,
  { jobs = allJobs, subscribers = allSubscribers, featureLoops = allLoops, logStream }: WorkerOptions = {},
): Promise<Worker> {
  const { config, db, metrics, now } = services
  const options = { level: config.LOG_LEVEL, serializers: { err: serializeError } }
  const log = logStream ? pino(options, logStream) : pino(options)
  let sealedAt = now()
  gaugeWork(metrics, db, () => (now().getTime() - sealedAt.getTime()) / 1_000)

  const runner = await startJobRunner(services, databaseUrl, jobs, log)
  const loop = (name: string, idleMs: number, round: Parameters<typeof startLoop>[0]): Loop => {
    const onError: LoopOptions['onError'] = (error) => log.error({ err: error }, `${name} failed`)
    return startLoop(round, { idleMs, onError })
  }
  const sweep = createOrphanSweep(db)
  const featureRounds = featureLoops.map(({ name, idleMs, start }) => ({
    name,
    idleMs,
    round: start(services, log.child({ loop: name })),
  }))
  const loops = [
    loop('outbox', OUTBOX_IDLE_MS, () =>
      dispatchOutbox(db, subscribers, {
        onFailure: ({ id, type, attempts }, error) =>
          log.error({ err: error, event: id, type, attempts: attempts + 1 }, 'event failed'),
      }),
    ),
    loop('sealing', SEAL_EVERY_MS, async () => {
      const more = (await sealEntries(db)) === MAX_SEAL_ENTRIES
      if (!more) sealedAt = now()
      return { more }
    }),
    ...featureRounds.map(({ name, idleMs, round }) => loop(name, idleMs, round)),
    loop('orphan sweep', ORPHAN_SWEEP_EVERY_MS, async () => {
      const dead = await sweep()
      if (dead.length > 0) log.warn({ workers: dead }, 'released jobs of dead workers')
      return { more: false }
    }),
  ]
  return {
    log,
    ended: runner.ended,
    async stop() {
      await Promise.all([runner.stop(), ...loops.map((one) => one.stop())])
      await Promise.all(featureRounds.map(async ({ round }) => round.drain?.()))
    },
  }
}
