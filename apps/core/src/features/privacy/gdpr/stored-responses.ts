import type { TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import type { Erasure } from '../../../platform/data-class.ts'

const PAGE_ROWS = 500

interface StoredAnswer {
  path: string
  key: string
  response: Buffer
}

/** Where answers are kept: a clinic's, or the platform's (null). */
interface Place {
  organizationId: string | null
  rows: RawBuilder<unknown>
}

/**
 * Answers kept for Idempotency-Key would still tell of the patient for a day. The patient's own go wherever they were kept.
 * Of others' those go that name the patient; they are encrypted, so each is opened. A repeated request is then refused by
 * what is stored, or finds nobody.
 */
export async function deleteStoredAnswers(tx: TenantTx, erasure: Erasure): Promise<number> {
  const { request_id, organizationId } = erasure
  const { rows } = await sql<{ own: number }>`select erase_own_responses(${request_id}) as own`.execute(tx)
  const clinic = sql`idempotency_keys where organization_id = (select current_app_org_id())`
  const platform = sql`list_platform_responses(${request_id}) where true`
  return (
    (rows[0]?.own ?? 0) +
    (await deleteTelling(tx, erasure, { organizationId, rows: clinic })) +
    (await deleteTelling(tx, erasure, { organizationId: null, rows: platform }))
  )
}

async function deleteTelling(tx: TenantTx, erasure: Erasure, place: Place): Promise<number> {
  let last: StoredAnswer | undefined
  let deleted = 0
  for (;;) {
    const later = last ? sql`(path, key) > (${last.path}, ${last.key})` : sql`true`
    const { rows } = await sql<StoredAnswer>`select path, key, response from ${place.rows}
      and response is not null and ${later} order by path, key limit ${PAGE_ROWS}`.execute(tx)
    for (const { path, key } of rows.filter((one) => tellsOf(one, erasure, place.organizationId))) {
      await sql`select erase_response(${erasure.request_id}, ${place.organizationId}, ${path}, ${key})`.execute(tx)
      deleted += 1
    }
    if (rows.length < PAGE_ROWS) return deleted
    last = rows.at(-1)
  }
}

function tellsOf({ path, key, response }: StoredAnswer, erasure: Erasure, organizationId: string | null): boolean {
  const { services, patient_id, patient_profile_id } = erasure
  const place = {
    table: 'idempotency_keys',
    column: 'response',
    organization_id: organizationId,
    row: `${path} ${key}`,
  }
  const text = services.box.open(response, place).toString('utf8')
  return [path, text].some((part) => part.includes(patient_id) || part.includes(patient_profile_id))
}
