import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Erasure } from '../../platform/data-class.ts'

const PAGE_ROWS = 500

interface StoredAnswer {
  path: string
  key: string
  response: Buffer
}

/**
 * Answers kept for Idempotency-Key would still tell of the patient for a day. They are encrypted, so each is opened; those
 * that name the patient go. A repeated request is then refused by what is stored, or finds nobody.
 */
export async function deleteStoredAnswers(tx: TenantTx, erasure: Erasure): Promise<number> {
  let last: StoredAnswer | undefined
  let deleted = 0
  for (;;) {
    const later = last ? sql`(path, key) > (${last.path}, ${last.key})` : sql`true`
    const { rows } = await sql<StoredAnswer>`select path, key, response from idempotency_keys
      where organization_id = current_app_org_id() and response is not null and ${later}
      order by path, key limit ${PAGE_ROWS}`.execute(tx)
    for (const answer of rows.filter((one) => tellsOf(one, erasure))) {
      await sql`delete from idempotency_keys
        where organization_id = current_app_org_id() and path = ${answer.path} and key = ${answer.key}`.execute(tx)
      deleted += 1
    }
    if (rows.length < PAGE_ROWS) return deleted
    last = rows.at(-1)
  }
}

function tellsOf({ path, key, response }: StoredAnswer, erasure: Erasure): boolean {
  const { organizationId, services, patient_id, patient_profile_id } = erasure
  const place = {
    table: 'idempotency_keys',
    column: 'response',
    organization_id: organizationId,
    row: `${path} ${key}`,
  }
  const text = services.box.open(response, place).toString('utf8')
  return [path, text].some((part) => part.includes(patient_id) || part.includes(patient_profile_id))
}
