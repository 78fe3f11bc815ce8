import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { TRACE } from './audit.ts'
import { type Caller, patientInPath } from './caller.ts'

/** Reads under impersonation and break-glass are written to the clinic's audit log before the response. */
export async function traceRead(request: FastifyRequest, caller: Caller): Promise<void> {
  if (caller.break_glass_id !== null) await traceBreakGlass(request, caller.break_glass_id)
  if (caller.impersonator_id !== null) await traceImpersonation(request, caller)
}

const addressOf = ({ method, url }: FastifyRequest) => `${method} ${url.split('?', 1)[0]}`

/** About the patient in the URL, if there is one; the reason is that of the grant. */
async function traceBreakGlass(request: FastifyRequest, grantId: string): Promise<void> {
  request[TRACE] = await request.tenant(async (tx) => {
    const { rows } = await sql<{ reason: string; patient_profile_id: string | null }>`
      select g.reason, (select p.patient_profile_id from patients p
        where p.organization_id = (select current_app_org_id()) and p.id = ${patientInPath(request)}) as patient_profile_id
      from break_glass_grants g where g.id = ${grantId}`.execute(tx)
    const { reason = '', patient_profile_id = null } = rows[0] ?? {}
    const id = randomUUID()
    await request.audit(tx, {
      id,
      action: 'break_glass.read',
      crud: 'R',
      target: { type: 'break_glass', id: grantId, label: addressOf(request) },
      reason,
      ...(patient_profile_id === null ? {} : { patientProfileId: patient_profile_id }),
    })
    return { id, reason }
  })
}

function traceImpersonation(request: FastifyRequest, caller: Caller): Promise<void> {
  return request.tenant((tx) =>
    request.audit(tx, {
      action: 'impersonation.read',
      crud: 'R',
      target: { type: 'patient', id: caller.patient_id, label: addressOf(request) },
      ...(caller.patient_profile_id === null ? {} : { patientProfileId: caller.patient_profile_id }),
    }),
  )
}
