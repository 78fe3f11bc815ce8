import type { PlatformTx, ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import type { LibraryTx } from './parts-queries.ts'

/** What the route that clones declares. */
export const CLONING = {
  codes: ['exercises.manage_org'],
  why: 'A copy says who judged the original, and when: nobody else writes that.',
}

/** False when there is none to copy. Changes of the exercise and of its parts wait for the copy. */
export async function lockExerciseToClone(tx: LibraryTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select lock_exercise_to_clone(${id}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/** A clinic copies from its own library and the platform's; the platform from its own. */
const sourceIs = (column: 'id' | 'exercise_id', id: string) =>
  sql`(organization_id is null or organization_id = (select current_app_org_id())) and ${sql.ref(column)} = ${id}`
const COPIED = sql`description, instructions_summary, difficulty, estimated_duration_seconds, kind, default_dose, progression,
  regression, source, video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key`

/** Inserts a draft without its parts; its id, or null when the slug is taken. */
export async function insertClone(
  tx: ServiceTx | PlatformTx,
  sourceId: string,
  { name, slug }: { name: string | undefined; slug: string },
): Promise<string | null> {
  const names = name === undefined ? sql`name, translations` : sql`${name}, translations #- '{ro,name}' #- '{en,name}'`
  const { rows } = await sql<{ id: string }>`
    insert into exercises (name, translations, slug, cloned_from_id, ${COPIED})
    select ${names}, ${slug}, id, ${COPIED} from exercises where ${sourceIs('id', sourceId)}
    on conflict (organization_id, slug) where deleted_at is null do nothing
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Copies instructions, tags and contraindications. The author, date and basis of tags are copied too: the judgement was made
 * for the original.
 */
export function copyParts(tx: ServiceTx | PlatformTx, sourceId: string, id: string) {
  const ofSource = sourceIs('exercise_id', sourceId)
  return [
    sql`insert into exercise_instructions (exercise_id, sort_order, title, content, image_url, image_object_key,
        instruction_type, translations)
      select ${id}, sort_order, title, content, image_url, image_object_key, instruction_type, translations
      from exercise_instructions where ${ofSource} order by sort_order, id`.execute(tx),
    sql`insert into exercise_tags (exercise_id, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at)
      select ${id}, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at
      from exercise_tags where ${ofSource}`.execute(tx),
    sql`insert into exercise_contraindications (exercise_id, condition_id, severity, description, clinical_basis, source,
        stages, until_cleared_for, translations, tagged_by_principal_id, tagged_at)
      select ${id}, condition_id, severity, description, clinical_basis, source, stages, until_cleared_for, translations,
        tagged_by_principal_id, tagged_at
      from exercise_contraindications where ${ofSource} order by id`.execute(tx),
  ]
}
