import type { NewContraindication } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'

type Tx = TenantTx | PlatformTx

export async function insertContraindication(tx: Tx, exerciseId: string, values: NewContraindication): Promise<string> {
  const { id } = await tx
    .insertInto('exercise_contraindications')
    .values({ ...values, exercise_id: exerciseId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteContraindication(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('exercise_contraindications').where('id', '=', id).execute()
}
