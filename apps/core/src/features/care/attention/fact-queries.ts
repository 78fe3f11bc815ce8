import type { AttentionItem, AttentionKind, AttentionParams } from '@tendon/contracts'
import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type Bounds, isLatestFirst } from './rules.ts'

/** What the queries of facts are asked for. */
export interface Asked extends Bounds {
  /** Today, where the clinic is. */
  today: string
  time_zone: string
  /** Only these profiles, and what concerns no patient. */
  profiles?: readonly string[]
  /** Only what these ids name. */
  ids?: readonly string[]
}

export interface FactSource {
  kind: AttentionKind
  /** Gives id, key, at and is_warning of every fact that is due, and the patient's profile; little of each, for there may be many. */
  due: (asked: Asked) => RawBuilder<unknown>
  /** Joins the rows `f` of `due` with what `params` needs. */
  join?: (asked: Asked) => RawBuilder<unknown>
  params: (asked: Asked) => RawBuilder<unknown>
  /** Of a visit. */
  named?: RawBuilder<unknown>
  /** seen: only patients who are seen and not deleted; known: of hidden ones without name; any: deleted ones too. */
  patients: 'seen' | 'known' | 'any'
}

export interface FactRow extends Pick<AttentionItem, 'key' | 'kind' | 'at' | 'patient'> {
  patient_profile_id: string | null
  is_warning: boolean
  params: AttentionParams
  service_id: string | null
  specialist_id: string | null
}

const MAX_READ = 100

const LIVING = sql`(select p.deleted_at is null from patients p
  where p.organization_id = ${CLINIC} and p.patient_profile_id = d.patient_profile_id)`
const IS_PATIENT_OPEN = {
  seen: sql`${LIVING} is true`,
  known: sql`(d.patient_profile_id is null or ${LIVING} is not false)`,
  any: sql`true`,
}

const NO_VISIT = sql`null::uuid as service_id, null::uuid as specialist_id`

/** As a sub-select, which is hashed: an array would be compared element by element. */
const isMine = ({ profiles }: Asked) =>
  profiles === undefined
    ? sql`true`
    : sql`(s.patient_profile_id is null or s.patient_profile_id in (select unnest(${profiles}::uuid[])))`

/**
 * Sorts the narrow rows of what is due, and looks at marks and patients one row after the other until there are enough: as
 * joins, PostgreSQL would read them for all rows, and all marks ever made. Only the rows that are left get their details.
 */
async function readFacts(
  tx: TenantTx | ServiceTx,
  source: FactSource,
  asked: Asked,
  isWanted: RawBuilder<unknown>,
): Promise<FactRow[]> {
  const { kind, due, join, params, named = NO_VISIT, patients } = source
  const order = isLatestFirst(kind) ? sql`desc` : sql`asc`
  const { rows } = await sql<Omit<FactRow, 'kind'>>`
    select f.key, f.at, f.is_warning, f.patient_profile_id, ${params(asked)} as params, ${named}, (
      select jsonb_build_object('id', p.id, 'name', p.first_name || ' ' || p.last_name) from patients p
      where p.organization_id = ${CLINIC} and p.patient_profile_id = f.patient_profile_id) as patient
    from (
      select d.* from (
        select s.* from (${due(asked)}) s where ${isMine(asked)}
        order by s.is_warning desc, s.at ${order} nulls last, s.key offset 0
      ) d
      where ${isWanted} and ${IS_PATIENT_OPEN[patients]} limit ${MAX_READ}
    ) f ${join ? join(asked) : sql``}`.execute(tx)
  return rows.map((row) => ({ ...row, kind }))
}

/** Without what is done or snoozed. */
export const listOpenFacts = (tx: TenantTx | ServiceTx, source: FactSource, asked: Asked): Promise<FactRow[]> =>
  readFacts(
    tx,
    source,
    asked,
    sql`(select m.state = 'done' or m.state = 'snoozed' and m.until > ${asked.now} from attention_marks m
      where m.organization_id = ${CLINIC} and m.key = d.key) is not true`,
  )

/** Marked or not. */
export const listFactsByKey = (
  tx: TenantTx | ServiceTx,
  source: FactSource,
  asked: Asked,
  keys: readonly string[],
): Promise<FactRow[]> => readFacts(tx, source, asked, sql`d.key = any(${keys}::text[])`)

/** A time as JSON has it. */
export const iso = (value: RawBuilder<unknown>) =>
  sql`to_char((${value}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
/** A time as part of a key. */
export const stamp = (value: RawBuilder<unknown>) => sql`(extract(epoch from ${value}) * 1000)::bigint`

export const onlyIds = (column: RawBuilder<unknown>, { ids }: Asked) =>
  ids === undefined ? sql`` : sql`and ${column} = any(${ids}::uuid[])`
