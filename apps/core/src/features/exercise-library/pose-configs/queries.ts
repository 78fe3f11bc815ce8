import type { NewPoseConfig, PoseConfigVersion } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Tx = TenantTx | PlatformTx

const COLUMNS = [
  'id',
  'exercise_id',
  'version',
  'tracking_enabled',
  'engine_code',
  'status',
  'pinned_asset_version',
  'config',
  'created_by_principal_id',
  'created_at',
] as const

const versionsOf = (tx: Tx, exerciseId: string) =>
  tx.selectFrom('exercise_pose_configs').select(COLUMNS).where('exercise_id', '=', exerciseId)

/** Newest first. */
export async function listVersions(tx: Tx, exerciseId: string): Promise<PoseConfigVersion[]> {
  return await versionsOf(tx, exerciseId).orderBy('version', 'desc').execute()
}

export async function findNewest(tx: Tx, exerciseId: string): Promise<PoseConfigVersion | undefined> {
  return versionsOf(tx, exerciseId).orderBy('version', 'desc').limit(1).executeTakeFirst()
}

/** The current version, otherwise the newest draft. */
export async function findInForce(tx: Tx, exerciseId: string): Promise<PoseConfigVersion | undefined> {
  return versionsOf(tx, exerciseId)
    .orderBy(sql`status = 'active'`, 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function findVersion(tx: Tx, exerciseId: string, version: number): Promise<PoseConfigVersion | undefined> {
  return versionsOf(tx, exerciseId).where('version', '=', version).executeTakeFirst()
}

/** Writers have locked the exercise, so that versions have no gaps. */
export async function insertVersion(
  tx: Tx,
  exerciseId: string,
  { config, engine_code, ...values }: Omit<NewPoseConfig, 'config'> & { config: object; engine_code: string },
): Promise<PoseConfigVersion> {
  return tx
    .insertInto('exercise_pose_configs')
    .values({
      ...values,
      exercise_id: exerciseId,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from exercise_pose_configs where exercise_id = ${exerciseId})`,
      engine_code,
      config: JSON.stringify(config),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
