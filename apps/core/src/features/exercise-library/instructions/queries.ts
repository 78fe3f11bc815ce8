import type { Instruction, InstructionChanges, NewInstruction } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

// Writers have locked the exercise: its instructions do not change meanwhile.

type Tx = TenantTx | PlatformTx

const COLUMNS = [
  'id',
  'sort_order',
  'title',
  'content',
  'image_url',
  'instruction_type',
  'translations',
  'created_at',
  'version',
] as const

export async function findInstruction(tx: Tx, exerciseId: string, id: number): Promise<Instruction | undefined> {
  return tx
    .selectFrom('exercise_instructions')
    .select(COLUMNS)
    .where('exercise_id', '=', exerciseId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertInstruction(tx: Tx, exerciseId: string, values: NewInstruction): Promise<Instruction> {
  return tx
    .insertInto('exercise_instructions')
    .values({ ...values, exercise_id: exerciseId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateInstruction(tx: Tx, id: number, changes: InstructionChanges): Promise<Instruction> {
  return tx
    .updateTable('exercise_instructions')
    .set(changes)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateImage(
  tx: Tx,
  id: number,
  image: { image_url: string | null; image_object_key: string | null },
): Promise<void> {
  await tx.updateTable('exercise_instructions').set(image).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function deleteInstruction(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('exercise_instructions').where('id', '=', id).execute()
}

/** The first of the ids becomes number 1. */
export async function updateOrder(tx: Tx, exerciseId: string, ids: number[]): Promise<void> {
  await sql`update exercise_instructions i set sort_order = wanted.place
    from unnest(${ids}::integer[]) with ordinality as wanted (id, place)
    where i.exercise_id = ${exerciseId} and i.id = wanted.id`.execute(tx)
}
