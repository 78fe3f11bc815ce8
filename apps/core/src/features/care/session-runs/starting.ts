import type { TenantTx } from '@tendon/db'
import { conflict, featureConsentRequired, processingRestricted } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { findPlanSession } from '../treatment-plans/index.ts'
import { planSessionNotFound } from './errors.ts'
import {
  type ConsentsForRun,
  findConsents,
  insertManifest,
  insertRun,
  lockRunInProgress,
  type OwnRun,
} from './queries.ts'
import { isStale, manifestOf } from './rules.ts'
import { endRun, openRun, record } from './run.ts'

const MAX_ATTEMPTS = 5

/** Returns the run in progress, even if its plan has ended, or creates one. Concurrent starts return the same run. */
export async function startOrResume(
  request: FastifyRequest,
  tx: TenantTx,
  planSessionId: string,
  now: Date,
): Promise<{ run: OwnRun; consents: ConsentsForRun }> {
  const run = await findOrCreate(request, tx, planSessionId, now)
  const consents = await findConsents(tx, run)
  if (consents.restricted) throw processingRestricted()
  if (!consents.telerehab) throw featureConsentRequired({ missing_purpose: 'telerehab' })
  return { run, consents }
}

async function findOrCreate(request: FastifyRequest, tx: TenantTx, planSessionId: string, now: Date): Promise<OwnRun> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const running = await lockRunInProgress(tx, planSessionId)
    if (running && !isStale(running, now)) return running
    if (running) await endRun(request, tx, running, 'ended_auto') // as the worker would within minutes
    const id = await insertRun(tx, planSessionId)
    if (id !== undefined) return created(request, tx, await openRun(tx, id))
    // Somebody began one in between.
  }
  throw conflict()
}

/** The plan is locked since the run was inserted: what the manifest freezes is what the run is made of. */
async function created(request: FastifyRequest, tx: TenantTx, run: OwnRun): Promise<OwnRun> {
  const session = await findPlanSession(tx, run.plan_session_id)
  if (!session) throw planSessionNotFound()
  await insertManifest(tx, run, manifestOf(session.exercises))
  const { treatment_plan_id, plan_session_id } = run
  const changes = [{ field: 'plan_session_id', before: null, after: plan_session_id }]
  await record.started(request, tx, run, { changes, payload: { treatment_plan_id, plan_session_id } })
  return run
}
