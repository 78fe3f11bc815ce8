import type { Consent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { type AuditEntry, changesBetween } from '../../../platform/audit.ts'
import type { Granted } from './granting.ts'

/** One entry for each new row, in the log of the place it belongs to. */
export async function auditGrants(
  request: FastifyRequest,
  tx: TenantTx,
  granted: readonly Granted[],
  organizationId?: string | null,
): Promise<void> {
  for (const { before, after } of granted) {
    const entry: AuditEntry = {
      action: 'consents.grant',
      crud: 'C',
      target: { type: 'consent', id: after.id, label: after.purpose_code },
      changes: changesBetween(before ?? {}, after),
      patientProfileId: after.patient_profile_id,
    }
    await request.audit(tx, entry, organizationId)
  }
}

export async function auditWithdrawal(
  request: FastifyRequest,
  tx: TenantTx,
  before: Consent,
  after: Consent,
  organizationId?: string | null,
): Promise<void> {
  const entry: AuditEntry = {
    action: 'consents.withdraw',
    crud: 'U',
    target: { type: 'consent', id: after.id, label: after.purpose_code },
    changes: changesBetween(before, after),
    patientProfileId: after.patient_profile_id,
  }
  await request.audit(
    tx,
    after.withdrawal_reason === null ? entry : { ...entry, reason: after.withdrawal_reason },
    organizationId,
  )
}
