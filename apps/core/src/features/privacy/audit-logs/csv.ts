import type { AuditLogEntry } from '@tendon/contracts'
import { csvLine } from '@tendon/http'

const COLUMNS: Record<string, (entry: AuditLogEntry) => string | null> = {
  id: (entry) => entry.id,
  organization_id: (entry) => entry.organization_id,
  occurred_at: (entry) => entry.occurred_at,
  actor_principal_id: (entry) => entry.actor.principal_id,
  actor_type: (entry) => entry.actor.type,
  actor_name: (entry) => entry.actor.name,
  on_behalf_of: (entry) => entry.on_behalf_of,
  action: (entry) => entry.action,
  crud: (entry) => entry.crud,
  target_type: (entry) => entry.target.type,
  target_id: (entry) => entry.target.id,
  target_label: (entry) => entry.target.label,
  patient_profile_id: (entry) => entry.patient_profile_id,
  outcome: (entry) => entry.outcome,
  reason: (entry) => entry.reason,
  source_ip: (entry) => entry.source_ip,
  user_agent: (entry) => entry.user_agent,
  request_id: (entry) => entry.request_id,
  changes: (entry) => (entry.changes === null ? null : JSON.stringify(entry.changes)),
  erased: (entry) => String(entry.erased),
  prev_hash: (entry) => entry.prev_hash,
  hash: (entry) => entry.hash,
}

export const csvHeader = csvLine(Object.keys(COLUMNS))

export const csvLineOf = (entry: AuditLogEntry): string =>
  csvLine(Object.values(COLUMNS).map((read) => read(entry) ?? ''))
