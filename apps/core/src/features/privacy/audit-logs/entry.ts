import type { AuditLog } from '@tendon/access'
import type { AuditLogEntry } from '@tendon/contracts'
import type { EntryRow } from './queries.ts'

const hex = (bytes: Buffer | null): string | null => bytes?.toString('hex') ?? null

/** What the API shows of a row: the personal text opened, or gone with its key. */
export function describeEntry(auditLog: AuditLog, row: EntryRow): AuditLogEntry {
  const personal = auditLog.read(row, row.wrapped_key)
  return {
    id: row.id,
    organization_id: row.organization_id,
    occurred_at: row.occurred_at,
    actor: {
      principal_id: row.actor_principal_id,
      type: row.actor_type,
      name: personal?.actor_name ?? null,
    },
    on_behalf_of: row.on_behalf_of,
    action: row.action,
    crud: row.crud,
    target: { type: row.target_type, id: row.target_id, label: personal?.target_label ?? null },
    patient_profile_id: row.patient_profile_id,
    outcome: row.outcome,
    reason: personal?.reason ?? null,
    source_ip: personal?.source_ip ?? null,
    user_agent: personal?.user_agent ?? null,
    request_id: row.request_id,
    changes:
      personal?.changes.map(({ field, before, after }) => ({ field, before: before ?? null, after: after ?? null })) ??
      null,
    erased: personal === undefined,
    prev_hash: hex(row.prev_hash),
    hash: hex(row.digest),
  }
}
