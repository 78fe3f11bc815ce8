import { systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { failureName } from '../../../platform/failure-name.ts'
import { addJob, type Job, type JobPayload, type JobTools } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { evaluatePatient, rebuildSegment } from './evaluation.ts'
import { holdSegment } from './evaluation-queries.ts'
import { patientChanged } from './index.ts'
import { EVALUATE_PATIENT_JOB, FOLLOW_CALENDAR_JOB, REBUILD_JOB, RESUME_JOB } from './job-names.ts'
import {
  completeEvaluation,
  failEvaluation,
  listOutdatedSegments,
  listWaitingClinics,
  lockEvaluation,
  queueEvaluation,
  type StartedEvaluation,
  startNextEvaluation,
} from './queue-queries.ts'

const MAX_ATTEMPTS = 3
/** An evaluation that started so often and never ended probably crashes its worker. */
const MAX_STARTS = 10
const REBUILD_TIMEOUTS = { lockWaitMs: 60_000, timeoutMs: 5 * 60_000 }
/** Delay until a patient who changed during a rebuild is evaluated. */
const RECHECK_DELAY_MS = 500
/** Delay until a failed evaluation is retried; four times as long the second time. */
const RETRY_DELAY_MS = 1_000
/** An evaluation that waits or runs longer than this may have lost its worker. */
const MAX_WAITING_MS = REBUILD_TIMEOUTS.timeoutMs

class BegunTooOften extends Error {
  override name = 'BegunTooOften'
}

export const segmentJobs: readonly Job[] = [
  { name: REBUILD_JOB, run: (_payload, tools) => rebuildAll(tools) },
  { name: EVALUATE_PATIENT_JOB, run: evaluateChanged },
  { name: FOLLOW_CALENDAR_JOB, cron: '11 * * * *', run: (_payload, tools) => followCalendar(tools) },
  { name: RESUME_JOB, cron: '*/5 * * * *', run: (_payload, tools) => takeUp(tools) },
]

/** Runs the waiting evaluations of this clinic one after the other, so that no clinic occupies all workers. */
async function rebuildAll(tools: JobTools): Promise<void> {
  const { tenant, services, signal } = tools
  const tried: string[] = []
  for (;;) {
    signal.throwIfAborted()
    const started = await tenant((tx) => startNextEvaluation(tx, tried, services.now()))
    if (!started) break
    tried.push(started.id)
    try {
      if (started.attempts > MAX_STARTS) throw new BegunTooOften()
      await rebuild(tools, started)
    } catch (error) {
      tools.log.error({ err: error, segment: started.segment_id }, 'segment evaluation failed')
      if (started.attempts >= MAX_ATTEMPTS)
        await tenant((tx) =>
          failEvaluation(tx, started.id, { failing_rule: null, error: failureName(error) }, services.now()),
        )
      else await tenant((tx) => tryAgain(tx, started))
    }
  }
}

/** By a job of its own: this one is not repeated if another was added while it ran. */
function tryAgain(tx: TenantTx, { attempts }: StartedEvaluation): Promise<void> {
  const runAt = new Date(Date.now() + RETRY_DELAY_MS * attempts ** 2)
  return addJob(tx, REBUILD_JOB, {}, { key: 'again', runAt })
}

async function rebuild({ tenant, services }: JobTools, { id, segment_id }: StartedEvaluation): Promise<void> {
  const startedAt = performance.now()
  await tenant(async (tx) => {
    if (!(await holdSegment(tx, segment_id)) || !(await lockEvaluation(tx, id))) return
    const outcome = await rebuildSegment(tx, segment_id, services, REBUILD_TIMEOUTS)
    if (outcome === undefined) return
    if ('broken' in outcome) await failEvaluation(tx, id, outcome.broken, services.now())
    else await completeEvaluation(tx, id, outcome, services.now(), performance.now() - startedAt)
  })
}

async function evaluateChanged({ patient_id }: JobPayload, { tenant, services, log }: JobTools): Promise<void> {
  const patientId = String(patient_id)
  await tenant(async (tx) => {
    const outcome = await evaluatePatient(tx, patientId, services)
    if (outcome === undefined) return
    for (const { segment_id, error } of outcome.broken)
      log.warn({ segment: segment_id, error }, 'a segment has a broken rule')
    if (outcome.left === 0) return
    const runAt = new Date(Date.now() + RECHECK_DELAY_MS)
    await addJob(tx, EVALUATE_PATIENT_JOB, { patient_id: patientId }, { key: patientId, runAt })
  })
}

/** Once a day of the clinic's own calendar, shortly after it begins. */
async function followCalendar({ tenant, services }: JobTools): Promise<void> {
  const outdated = await tenant((tx) => listOutdatedSegments(tx, services.now()))
  for (const { organization_id, segment_id } of outdated) {
    await services.db.tenant(systemContext(organization_id), async (tx) => {
      if (!(await holdSegment(tx, segment_id))) return
      await queueEvaluation(tx, segment_id)
      await addJob(tx, REBUILD_JOB, {}, { key: 'waiting' })
    })
  }
}

/** A worker that died may have lost the job for waiting evaluations: the job is added again. Nothing runs twice. */
async function takeUp({ tenant, services }: JobTools): Promise<void> {
  const before = new Date(services.now().getTime() - MAX_WAITING_MS)
  for (const organizationId of await tenant((tx) => listWaitingClinics(tx, before)))
    await services.db.tenant(systemContext(organizationId), (tx) => addJob(tx, REBUILD_JOB, {}, { key: 'waiting' }))
}

const MOVES = [
  'patient.created',
  'patient.deleted',
  'patient.restored',
  'patient.left',
  'patient.restricted',
  'patient.unrestricted',
]

/** New patients may match immediately; deleted ones are in no segment. */
export const segmentSubscribers: readonly Subscriber[] = MOVES.map((type) => ({
  type,
  handle: async (tx, { payload }) => {
    const { patient_id } = payload as { patient_id?: unknown }
    if (typeof patient_id === 'string') await patientChanged(tx, patient_id)
  },
}))
