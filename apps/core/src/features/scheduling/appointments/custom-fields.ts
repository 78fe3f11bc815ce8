import { isProfileValue, isUnset, type ProfileValues, valueProblem } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { invalidContent } from '@tendon/http'
import { listAppointmentFields, type StoredFields } from './queries.ts'

/** Values by the key of their field become values by its id. Refuses all when one does not fit its field. */
export async function checkCustomFields(
  tx: TenantTx,
  given: Readonly<Record<string, unknown>> | undefined,
): Promise<StoredFields | undefined> {
  if (given === undefined) return undefined
  const byKey = new Map((await listAppointmentFields(tx)).map((field) => [field.key, field]))
  const problems: Record<string, string> = {}
  const stored: Record<string, ProfileValues[string] | null> = {}
  for (const [key, value] of Object.entries(given)) {
    const field = byKey.get(key)
    const problem = field ? valueProblem(field, value) : 'is not a custom field of appointments'
    if (problem !== undefined) problems[`custom_fields.${key}`] = problem
    else if (field) stored[field.id] = !isUnset(value) && isProfileValue(value) ? value : null
  }
  if (Object.keys(problems).length > 0) throw invalidContent(problems)
  return stored
}
