import type { RunStatus } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Refusal } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { AuditEntry } from '../../../platform/audit.ts'
import { publish } from '../../../platform/events.ts'
import { sessionRunNotFound } from './errors.ts'
import { endSessionRun, findClinicOfRun, lockRun, type OwnRun } from './queries.ts'

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

type RunOf = Pick<OwnRun, 'id' | 'patient_id' | 'patient_profile_id'>

export const entryAbout = (run: RunOf, entry: Omit<AuditEntry, 'target' | 'patientProfileId'>): AuditEntry => ({
  ...entry,
  target: { type: 'session_run', id: run.id },
  patientProfileId: run.patient_profile_id,
})

export const eventOf = ({ id, patient_id, patient_profile_id }: RunOf) => ({
  session_run_id: id,
  patient_id,
  patient_profile_id,
})

type Ended = Exclude<RunStatus, 'in_progress'>

/** The trail of an end, whoever brought it about. */
export async function traceEnd(
  tx: TenantTx,
  run: RunOf,
  status: Ended,
  audit: (entry: AuditEntry) => Promise<void>,
): Promise<void> {
  const changes = [{ field: 'status', before: 'in_progress', after: status }]
  await audit(entryAbout(run, { action: 'session_runs.end', crud: 'U', changes }))
  await publish(tx, 'session_run.ended', { ...eventOf(run), status })
}

/** Once: a run that is over stays as it ended. */
export async function endRun(request: FastifyRequest, tx: TenantTx, run: OwnRun, status: Ended): Promise<void> {
  if (await endSessionRun(tx, run.id, status)) await traceEnd(tx, run, status, (entry) => request.audit(tx, entry))
}
