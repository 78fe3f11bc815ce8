import type { AttentionItem, AttentionKind, AttentionParams } from '@tendon/contracts'
import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type Bounds, isLatestFirst } from './rules.ts'

/** What the queries of facts are asked for. */
export interface Asked extends Bounds {
  /** Today, where the clinic is. */
  today: string
  time_zone: string
  /** Only patients of this specialist; null: of nobody; undefined: of the clinic. */
  specialist?: string | null
  /** Only what these ids name. */
  ids?: readonly string[]
}

export interface FactRow extends Pick<AttentionItem, 'key' | 'kind' | 'at' | 'patient'> {
  patient_profile_id: string | null
  is_warning: boolean
  params: AttentionParams
  service_id: string | null
  specialist_id: string | null
}

/** Gives key, at, patient_id, patient_name, patient_profile_id, is_warning and params; visits also service_id and specialist_id. */
export type FactSource = (asked: Asked) => RawBuilder<unknown>

const MAX_READ = 100

const COLUMNS = sql`f.key, f.at, f.patient_profile_id, f.is_warning, f.params, f.service_id, f.specialist_id,
  case when f.patient_id is not null then jsonb_build_object('id', f.patient_id, 'name', f.patient_name) end as patient`

/** Without what is done or snoozed. */
export async function listOpenFacts(
  tx: TenantTx | ServiceTx,
  kind: AttentionKind,
  source: FactSource,
  asked: Asked,
): Promise<FactRow[]> {
  const order = isLatestFirst(kind) ? sql`desc` : sql`asc`
  const { rows } = await sql<Omit<FactRow, 'kind'>>`
    select ${COLUMNS} from (${source(asked)}) f
    where not exists (select 1 from attention_marks m where m.organization_id = ${CLINIC} and m.key = f.key
      and (m.state = 'done' or m.state = 'snoozed' and m.until > ${asked.now}))
    order by f.is_warning desc, f.at ${order} nulls last, f.key limit ${MAX_READ}`.execute(tx)
  return rows.map((row) => ({ ...row, kind }))
}

/** Marked or not. */
export async function listFactsByKey(
  tx: TenantTx | ServiceTx,
  kind: AttentionKind,
  source: FactSource,
  asked: Asked,
  keys: readonly string[],
): Promise<FactRow[]> {
  const { rows } = await sql<Omit<FactRow, 'kind'>>`
    select ${COLUMNS} from (${source(asked)}) f where f.key = any(${keys}::text[])`.execute(tx)
  return rows.map((row) => ({ ...row, kind }))
}

/** A time as JSON has it. */
export const iso = (value: RawBuilder<unknown>) =>
  sql`to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** A time as part of a key. */
export const stamp = (value: RawBuilder<unknown>) => sql`(extract(epoch from ${value}) * 1000)::bigint`

export const NO_PATIENT = sql`null::uuid as patient_id, null::text as patient_name, null::uuid as patient_profile_id`
export const NO_WARNING = sql`false as is_warning`
export const NO_VISIT = sql`null::uuid as service_id, null::uuid as specialist_id`

export const onlyIds = (column: RawBuilder<unknown>, { ids }: Asked) =>
  ids === undefined ? sql`` : sql`and ${column} = any(${ids}::uuid[])`
