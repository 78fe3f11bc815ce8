import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { BundleExercise } from '../features/bundles/queries.ts'

export interface DueFilm {
  session_exercise_id: string
  film_organization_id: string
  exercise_id: string
  sets: number
  reps: number | null
  side: string | null
  language: string
}

export async function claimDueFilms(tx: TenantTx, now: Date, again: Date, limit: number): Promise<DueFilm[]> {
  const { rows } = await sql<DueFilm>`
    select * from claim_due_films(${now.toISOString()}, ${again.toISOString()}, ${limit})`.execute(tx)
  return rows
}

export async function findExercise(tx: TenantTx, id: string): Promise<BundleExercise | undefined> {
  const { rows } = await sql<BundleExercise>`
    select id, organization_id, slug, name, kind from exercises where id = ${id} and deleted_at is null`.execute(tx)
  return rows[0]
}

export async function setFilm(tx: TenantTx, film: DueFilm, renderId: string | null, dueAt: Date | null): Promise<void> {
  await sql`select set_film(${film.session_exercise_id}, ${film.film_organization_id}, ${renderId}, ${dueAt?.toISOString() ?? null})`.execute(
    tx,
  )
}
