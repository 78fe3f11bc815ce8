import type { CompositionManifest, ExerciseKind } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Tx = TenantTx | PlatformTx

export interface BundleExercise {
  id: string
  organization_id: string | null
  slug: string
  name: string
  kind: ExerciseKind
}

export interface StoredBundle {
  exercise_id: string
  asset_version: number
  manifest: CompositionManifest
}

export interface StoredFile {
  id: string
  organization_id: string | null
  name: string
  object_key: string
  sha256: string
  bytes: number
  seconds: number | null
  width: number | null
  height: number | null
}

export type NewFile = Omit<StoredFile, 'id' | 'organization_id'>

/** The clinic's own exercise before the platform's of the same slug. */
export async function findExerciseBySlug(tx: TenantTx, slug: string): Promise<BundleExercise | undefined> {
  const { rows } = await sql<BundleExercise>`
    select id, organization_id, slug, name, kind from exercises where slug = ${slug} and deleted_at is null
    order by organization_id nulls last limit 1`.execute(tx)
  return rows[0]
}

export async function findPlatformExerciseBySlug(tx: PlatformTx, slug: string): Promise<BundleExercise | undefined> {
  const { rows } = await sql<BundleExercise>`
    select id, organization_id, slug, name, kind from exercises
    where slug = ${slug} and organization_id is null and deleted_at is null`.execute(tx)
  return rows[0]
}

export async function findBundle(tx: Tx, exerciseId: string): Promise<StoredBundle | undefined> {
  const { rows } = await sql<StoredBundle>`
    select exercise_id, asset_version, manifest from exercise_bundles where exercise_id = ${exerciseId}`.execute(tx)
  return rows[0]
}

/** Until the end of the transaction nobody else changes the bundle. */
export async function lockBundle(tx: Tx, exerciseId: string): Promise<StoredBundle | undefined> {
  const { rows } = await sql<StoredBundle>`
    select exercise_id, asset_version, manifest from exercise_bundles where exercise_id = ${exerciseId} for update`.execute(
    tx,
  )
  return rows[0]
}

export async function saveManifest(tx: Tx, exerciseId: string, manifest: CompositionManifest): Promise<void> {
  await sql`
    insert into exercise_bundles (exercise_id, manifest) values (${exerciseId}, ${JSON.stringify(manifest)})
    on conflict (exercise_id) do update set manifest = excluded.manifest, asset_version = exercise_bundles.asset_version + 1`.execute(
    tx,
  )
}

/** The files of an asset version. */
export async function listBundleFiles(tx: Tx, exerciseId: string, version: number): Promise<StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select id, organization_id, name, object_key, sha256, bytes, seconds, width, height from exercise_bundle_files
    where exercise_id = ${exerciseId} and added_version <= ${version} and (removed_version is null or removed_version > ${version})
    order by name`.execute(tx)
  return rows
}

/** The next asset version, without the file of this name. Returns whether there was one. */
export async function removeBundleFile(tx: Tx, bundle: StoredBundle, name: string): Promise<boolean> {
  const next = bundle.asset_version + 1
  const { numAffectedRows } = await sql`
    update exercise_bundle_files set removed_version = ${next}
    where exercise_id = ${bundle.exercise_id} and name = ${name} and removed_version is null`.execute(tx)
  if (numAffectedRows !== 1n) return false
  await setVersion(tx, bundle.exercise_id, next)
  return true
}

export async function replaceBundleFile(tx: Tx, bundle: StoredBundle, file: NewFile): Promise<void> {
  const next = bundle.asset_version + 1
  await sql`
    update exercise_bundle_files set removed_version = ${next}
    where exercise_id = ${bundle.exercise_id} and name = ${file.name} and removed_version is null`.execute(tx)
  await sql`
    insert into exercise_bundle_files (exercise_id, name, object_key, sha256, bytes, seconds, width, height, added_version)
    values (${bundle.exercise_id}, ${file.name}, ${file.object_key}, ${file.sha256}, ${file.bytes}, ${file.seconds}, ${file.width},
      ${file.height}, ${next})`.execute(tx)
  await setVersion(tx, bundle.exercise_id, next)
}

async function setVersion(tx: Tx, exerciseId: string, version: number): Promise<void> {
  await sql`update exercise_bundles set asset_version = ${version} where exercise_id = ${exerciseId}`.execute(tx)
}

/** The object is deleted in an hour unless `claimObject` is called. */
export async function listUnclaimedObject(tx: Tx, key: string): Promise<void> {
  await sql`insert into unclaimed_objects (object_key, delete_after) values (${key}, now() + interval '1 hour')`.execute(
    tx,
  )
}

export async function claimObject(tx: Tx, key: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from unclaimed_objects where object_key = ${key} and delete_after > clock_timestamp()`.execute(tx)
  return numAffectedRows === 1n
}
