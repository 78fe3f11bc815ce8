import type { FoundPatient, FoundRow } from '@tendon/contracts'
import { CLINIC, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'

/** Text for a `like`, with its wildcards as letters. */
const literal = (q: RawBuilder<unknown>) => sql`regexp_replace(fold_text(${q}), '([\\\\%_])', '\\\\\\1', 'g')`

/** At the start of the text or of one of its words. */
const startsWord = (text: RawBuilder<unknown>, q: string) =>
  sql`(' ' || ${text}) like '% ' || (select ${literal(sql`${q}::text`)}) || '%'`

const FOUND = sql`id, first_name || ' ' || last_name as name, birth_date,
  nullif(right(regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g'), 4), '') as phone_tail`

/** More are not read one by one. */
const MAX_HITS = 500

/** Whose name starts with the text first. Text that half of the patients have is searched for without the index. */
export async function searchPatients(tx: TenantTx, q: string, limit: number): Promise<FoundPatient[]> {
  const { rows: hits } = await sql<{ id: string }>`select search_patients(${q}) as id limit ${MAX_HITS + 1}`.execute(tx)
  if (hits.length === 0) return []
  const ids = hits.map(({ id }) => id)
  const isHit = ids.length > MAX_HITS ? hasWords(sql`search_text`, q) : sql`id = any(${ids}::uuid[])`
  const { rows } = await sql<FoundPatient>`
    select ${FOUND} from patients where organization_id = ${CLINIC} and deleted_at is null and ${isHit}
    order by ${startsWord(sql`search_text`, q)} desc, last_name, first_name, id limit ${limit}`.execute(tx)
  return rows
}

/** Every word is somewhere in the folded text. */
const hasWords = (text: RawBuilder<unknown>, q: string) => sql`${text} like all ((
  select array_agg('%' || word || '%') from regexp_split_to_table(${literal(sql`${q}::text`)}, '\\s+') word)::text[])`

export async function searchExercises(tx: TenantTx, q: string, limit: number): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select id, translated_name(name, translations) as name, status from exercises
    where (organization_id = ${CLINIC} or organization_id is null) and deleted_at is null and status <> 'archived'
      and ${hasWords(sql`search_text`, q)}
    order by ${startsWord(sql`search_text`, q)} desc, 2, id limit ${limit}`.execute(tx)
  return rows
}

export async function searchPrograms(tx: TenantTx, q: string, limit: number): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select id, name, status from programs
    where organization_id = ${CLINIC} and deleted_at is null and status <> 'archived'
      and ${hasWords(sql`fold_text(name)`, q)}
    order by ${startsWord(sql`fold_text(name)`, q)} desc, name, id limit ${limit}`.execute(tx)
  return rows
}

export async function searchFormTemplates(tx: TenantTx, q: string, limit: number): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select id, title as name, status from form_templates
    where organization_id = ${CLINIC} and deleted_at is null and status <> 'archived'
      and ${hasWords(sql`fold_text(title)`, q)}
    order by ${startsWord(sql`fold_text(title)`, q)} desc, title, id limit ${limit}`.execute(tx)
  return rows
}
