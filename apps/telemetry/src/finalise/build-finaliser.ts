import type { Database } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import type { Logger } from 'pino'
import type { RunLog } from '../log/run-log.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { Recording } from '../runs/recording.ts'
import type { Runs } from '../runs/runs.ts'
import { type FinaliseOptions, finalise } from './finalise.ts'
import { Finaliser, type FinaliserOptions } from './finaliser.ts'
import type { PoseThread } from './threaded-pose-work.ts'

const SET_ASIDE =
  'recording set aside: the database refuses it (err). Its data is kept in a file of the log folder. Fix the cause; it is retried every hour and at every start'

const UNREADABLE = 'records could not be read: the rest of the run is kept, and the run is marked incomplete'

interface FinaliserParts {
  runLog: RunLog
  runs: Runs
  db: Pick<Database, 'tenant'>
  assertSafe: () => Promise<void>
  objects: ObjectStore
  poseWork: PoseThread
  metrics: TelemetryMetrics
  logger: Logger
  now: () => number
  retryPauseMs: FinaliserOptions['pauseMs']
  afterStep: FinaliseOptions['afterStep']
}

/** The finaliser with the log, the database and the object store of the service; it reports what it does. */
export function buildFinaliser(parts: FinaliserParts): Finaliser {
  const { runLog, runs, db, objects, poseWork, metrics, logger, now, afterStep } = parts

  function reportUnreadable({ id, runId, organizationId }: Recording, records: number): void {
    for (let record = 0; record < records; record += 1) metrics.discarded('unreadable_record')
    logger.warn({ run: runId, recording: id, organization: organizationId, records }, UNREADABLE)
  }

  return new Finaliser({
    runs,
    tidy: () => runLog.tidy(),
    isSetAside: (recording) => runLog.isSetAside(recording),
    pauseMs: parts.retryPauseMs,
    async setAside(recording, refusal) {
      const marks = { ended: recording.sealed === 'ended', damaged: recording.damaged }
      const unreadable = await runLog.setAside(recording.origin, now(), marks)
      if (unreadable > 0) reportUnreadable(recording, unreadable)
      metrics.failed('set_aside')
      const names = { run: recording.runId, recording: recording.id, organization: recording.organizationId }
      logger.error({ ...names, ...(refusal === undefined ? {} : { err: refusal }) }, SET_ASIDE)
    },
    async finalise(recording) {
      const started = performance.now()
      await parts.assertSafe()
      await finalise(
        {
          log: runLog,
          db,
          objects,
          startPoseWork: poseWork.start,
          now,
          onDiscard: metrics.discarded,
          onUnreadable: reportUnreadable,
          ...(afterStep ? { afterStep } : {}),
        },
        recording,
      )
      metrics.finalised((performance.now() - started) / 1000)
    },
    onFinalised: ({ runId, sealed, frames, entries }) =>
      logger.info({ run: runId, sealed, frames, entries }, 'run finalised'),
    onFailure: (error, { runId }) => {
      metrics.failed('finalise')
      logger.warn({ err: error, run: runId }, 'finalise failed; retrying')
    },
  })
}
