import type { RunStatus } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { featureConsentRequired, type Refusal } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { type Auditor, recorder } from '../../../platform/recorder.ts'
import { sessionRunNotFound } from './errors.ts'
import { endSessionRun, findClinicOfRun, listWithdrawals, lockRun, type OwnRun } from './queries.ts'
import { isWithoutConsent } from './rules.ts'

// What the routes of a patient's own run share.

/** From here on the patient acts at the clinic that was found: theirs, whichever they came with. */
export async function enterClinic(
  request: FastifyRequest,
  found: { organization_id: string } | undefined,
  refuse: Refusal,
): Promise<void> {
  const id = found?.organization_id
  if (id === undefined) throw refuse()
  if (id !== request.caller.organization_id && !(await request.enterOrganization(id))) throw refuse()
}

export async function enterRun(request: FastifyRequest, runId: string): Promise<void> {
  const found = await request.find((tx) => findClinicOfRun(tx, runId))
  await enterClinic(request, found, sessionRunNotFound)
}

/** The patient's own run, locked; the clinic must have been entered. */
export async function openRun(tx: TenantTx, runId: string): Promise<OwnRun> {
  const run = await lockRun(tx, runId)
  if (!run) throw sessionRunNotFound()
  return run
}

/** Nothing is recorded of what happens while the consent to exercising at home is withdrawn, also when it is given again. */
export async function refuseWithdrawn(tx: TenantTx, run: OwnRun, occurredAt?: string): Promise<void> {
  if (isWithoutConsent(await listWithdrawals(tx, run), run, occurredAt))
    throw featureConsentRequired({ missing_purpose: 'telerehab' })
}

type RunOf = Pick<OwnRun, 'id' | 'patient_id' | 'patient_profile_id'>

/** Every audit entry about a patient is encrypted under the patient's own key. */
export const record = recorder({
  target: ({ id }: RunOf) => ({ type: 'session_run', id }),
  payload: ({ id, patient_id, patient_profile_id }) => ({ session_run_id: id, patient_id, patient_profile_id }),
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    started: { action: 'session_runs.start', crud: 'C', event: 'session_run.started' },
    read: { action: 'session_runs.read', crud: 'R' },
    replayRead: { action: 'session_runs.read_replay', crud: 'R' },
    eventRecorded: { action: 'session_runs.record_event', crud: 'C' },
    painReported: { action: 'session_runs.report_pain', crud: 'C', event: 'pain.reported' },
    feedbackGiven: { action: 'session_runs.give_feedback', crud: 'C', event: 'session_run.feedback_given' },
    feedbackChanged: { action: 'session_runs.give_feedback', crud: 'U', event: 'session_run.feedback_given' },
    ended: { action: 'session_runs.end', crud: 'U', event: 'session_run.ended' },
  },
})

type Ended = Exclude<RunStatus, 'in_progress'>

export async function recordEnd(by: Auditor, tx: TenantTx, run: RunOf, status: Ended): Promise<void> {
  const changes = [{ field: 'status', before: 'in_progress', after: status }]
  await record.ended(by, tx, run, run, { changes, payload: { status } })
}

/** Once: a run that has ended does not change. */
export async function endRun(request: FastifyRequest, tx: TenantTx, run: OwnRun, status: Ended): Promise<void> {
  if (await endSessionRun(tx, run.id, status)) await recordEnd(request, tx, run, status)
}
