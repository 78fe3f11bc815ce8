import type {
  List,
  NewSpecialty,
  Picker,
  Specialty,
  SpecialtyChanges,
  SpecialtySummary,
  SpecialtyWithSpecialists,
} from '@tendon/contracts'
import { readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'title',
  'slug',
  'description',
  'created_at',
  'updated_at',
  'version',
] as const

const SPECIALISTS = sql<SpecialtyWithSpecialists['specialists']>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'title', s.title, 'slug', s.slug)
    order by s.name, s.id), '[]')
  from specialist_specialties l join specialists s on s.organization_id = l.organization_id and s.id = l.specialist_id
  where l.organization_id = specialties.organization_id and l.specialty_id = specialties.id and s.deleted_at is null)`

const row = <Values extends { title?: string }>(values: Values): Values =>
  values.title === undefined ? values : { ...values, title: values.title.normalize().trim() }

export function listSpecialties(tx: TenantTx, list: List): Promise<{ rows: Specialty[]; total: number }> {
  return readPage(tx.selectFrom('specialties').select(COLUMNS), list, { search: ['title', 'slug', 'description'] })
}

export function listSpecialtyChoices(tx: TenantTx, picker: Picker): Promise<SpecialtySummary[]> {
  return readChoices(tx.selectFrom('specialties').select(['id', 'title', 'slug']), picker, { search: ['title'] })
}

export function findSpecialty(tx: TenantTx, id: string): Promise<SpecialtyWithSpecialists | undefined> {
  return tx
    .selectFrom('specialties')
    .select([...COLUMNS, SPECIALISTS.as('specialists')])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. */
export function findSpecialtyForUpdate(tx: TenantTx, id: string): Promise<Specialty | undefined> {
  return tx.selectFrom('specialties').select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function insertSpecialty(tx: TenantTx, values: NewSpecialty): Promise<Specialty> {
  return tx.insertInto('specialties').values(row(values)).returning(COLUMNS).executeTakeFirstOrThrow()
}

export function updateSpecialty(tx: TenantTx, id: string, changes: SpecialtyChanges): Promise<Specialty> {
  return tx
    .updateTable('specialties')
    .set(row(changes))
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteSpecialty(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('specialties').where('id', '=', id).execute()
}
