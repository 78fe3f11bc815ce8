import type { TestDatabase } from '@tendon/testing'

type Query = TestDatabase['query']
type Insert = (text: string, values: unknown[]) => Promise<string>

/** A specialist with a specialty, and a specialty that nobody has. */
export async function createSpecialist(query: Query, insert: Insert, id: string) {
  const newSpecialty = (slug: string) =>
    insert('specialties (organization_id, title, slug) values ($1, $2, $2)', [id, slug])
  const [specialty, spareSpecialty] = await Promise.all([newSpecialty('busy'), newSpecialty('spare')])
  const specialist = await insert(
    `specialists (organization_id, name, slug, scheduling_timezone) values ($1, 'Ana', 'ana', 'Europe/Bucharest')`,
    [id],
  )
  await query('insert into specialist_specialties (organization_id, specialist_id, specialty_id) values ($1, $2, $3)', [
    id,
    specialist,
    specialty,
  ])
  return { specialist, spareSpecialty }
}
