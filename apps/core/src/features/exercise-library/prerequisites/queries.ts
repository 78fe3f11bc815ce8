import type { NewPrerequisite, Prerequisite } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Tx = TenantTx | PlatformTx

const prerequisitesOf = (tx: Tx, exerciseId: string) =>
  tx
    .selectFrom('exercise_prerequisites as p')
    .innerJoin('exercises as e', 'e.id', 'p.prerequisite_exercise_id')
    .select(['e.id as exercise_id', 'e.name', 'e.slug', 'p.tagged_by_principal_id', 'p.tagged_at', 'p.clinical_basis'])
    .select(sql<Prerequisite['translations']>`p.translations`.as('translations'))
    .where('p.exercise_id', '=', exerciseId)
    .where('e.deleted_at', 'is', null)

/** The prerequisites that the caller may see. */
export const listPrerequisites = (tx: Tx, exerciseId: string): Promise<Prerequisite[]> =>
  prerequisitesOf(tx, exerciseId).orderBy('p.tagged_at').orderBy('e.id').execute()

export const findPrerequisite = (tx: Tx, exerciseId: string, id: string): Promise<Prerequisite | undefined> =>
  prerequisitesOf(tx, exerciseId).where('e.id', '=', id).executeTakeFirst()

/** Whether an exercise of the organization (null: of the platform) may name this one: the platform's, or its own. */
export async function canPrecede(tx: Tx, organizationId: string | null, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('exercises')
    .select('organization_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined && (found.organization_id === null || found.organization_id === organizationId)
}

export async function insertPrerequisite(tx: Tx, exerciseId: string, values: NewPrerequisite): Promise<void> {
  await tx
    .insertInto('exercise_prerequisites')
    .values({ ...values, exercise_id: exerciseId })
    .execute()
}

export async function deletePrerequisite(tx: Tx, exerciseId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('exercise_prerequisites')
    .where('exercise_id', '=', exerciseId)
    .where('prerequisite_exercise_id', '=', id)
    .execute()
}
