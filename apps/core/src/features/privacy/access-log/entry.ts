import type { Language, Personal } from '@tendon/access'
import type { ACCESS_KINDS, ACCESS_WAYS, AccessLogEntry } from '@tendon/contracts'
import type { AccessRow } from './queries.ts'
import { sentenceOf } from './texts.ts'

/** An entry as the patient sees it: without IP addresses, changes, or data of others. */
export function describeAccess(
  row: AccessRow,
  personal: Personal | undefined,
  principalId: string,
  language: Language,
): AccessLogEntry {
  const kind = kindOf(row, principalId)
  const how = wayOf(row)
  return {
    occurred_at: row.occurred_at,
    organization: row.organization_id === null ? null : { id: row.organization_id, name: row.organization_name ?? '' },
    who: { name: publicName(personal?.actor_name ?? null), kind },
    role_name: kind === 'you' ? null : (personal?.actor_role ?? null),
    what: sentenceOf(row.action, row.crud, language),
    how,
    reason: how === 'normal' ? null : (personal?.reason ?? null),
  }
}

function kindOf({ actor_type, actor_principal_id }: AccessRow, principalId: string): (typeof ACCESS_KINDS)[number] {
  if (actor_type === 'superadmin') return 'operator'
  if (actor_type === 'service' || actor_type === 'system') return actor_type
  return actor_type === 'patient' || actor_principal_id === principalId ? 'you' : 'staff'
}

/** An operator comes to a patient's record by break-glass alone. */
function wayOf({ actor_type, action, on_behalf_of }: AccessRow): (typeof ACCESS_WAYS)[number] {
  if (actor_type === 'superadmin') return 'break_glass'
  return on_behalf_of !== null || action === 'patients.impersonate' ? 'impersonation' : 'normal'
}

/** Somebody without a name is logged by their e-mail address, which is not the patient's to know. */
const publicName = (name: string | null) => (name?.includes('@') ? null : name)
