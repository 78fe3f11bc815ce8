import type { VideoUpload } from '@tendon/contracts'
import type { PlatformTx, RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type LibraryTx = TenantTx | PlatformTx

/** The uploads of one person for one exercise. Row-level security does not bind a superadmin, so that each query names both. */
export interface UploadOwner {
  exerciseId: string
  principalId: string
}

export interface StoredUpload
  extends RowOf<'exercise_video_uploads', 'id' | 'length' | 'received' | 'object_keys' | 'expires_at' | 'finished_at'> {
  metadata: VideoUpload['metadata']
}

const COLUMNS = sql`id, length::float8 as length, received::float8 as received, object_keys, metadata, expires_at, finished_at`

const ofOwner = ({ exerciseId, principalId }: UploadOwner) =>
  sql`exercise_id = ${exerciseId} and principal_id = ${principalId}`

export async function findUpload(tx: LibraryTx, owner: UploadOwner, id: string): Promise<StoredUpload | undefined> {
  const { rows } = await sql<StoredUpload>`
    select ${COLUMNS} from exercise_video_uploads where id = ${id} and ${ofOwner(owner)}`.execute(tx)
  return rows[0]
}

export async function listUnfinished(tx: LibraryTx, owner: UploadOwner, now: Date): Promise<StoredUpload[]> {
  const { rows } = await sql<StoredUpload>`
    select ${COLUMNS} from exercise_video_uploads
    where ${ofOwner(owner)} and finished_at is null and expires_at > ${now} order by created_at`.execute(tx)
  return rows
}

export async function insertUpload(
  tx: LibraryTx,
  { exerciseId, principalId }: UploadOwner,
  { id, length, metadata, expires_at }: Pick<StoredUpload, 'id' | 'length' | 'metadata'> & { expires_at: Date },
): Promise<void> {
  await sql`insert into exercise_video_uploads (id, exercise_id, principal_id, length, metadata, expires_at)
    values (${id}, ${exerciseId}, ${principalId}, ${length}, ${JSON.stringify(metadata)}::jsonb, ${expires_at})`.execute(
    tx,
  )
}

/** Adds bytes at the end. False when the upload is at another position, finished or gone: another request was first. */
export async function addPart(
  tx: LibraryTx,
  owner: UploadOwner,
  part: { id: string; position: number; bytes: number; key: string; now: Date },
): Promise<boolean> {
  const { id, position, bytes, key, now } = part
  const { numAffectedRows } = await sql`
    update exercise_video_uploads set received = received + ${bytes}, object_keys = array_append(object_keys, ${key})
    where id = ${id} and ${ofOwner(owner)} and received = ${position} and finished_at is null and expires_at > ${now}`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** The worker deletes the parts. False when the upload is finished or gone. */
export async function finishUpload(tx: LibraryTx, owner: UploadOwner, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update exercise_video_uploads set finished_at = ${now}, object_keys = '{}'
    where id = ${id} and ${ofOwner(owner)} and received = length and finished_at is null`.execute(tx)
  return numAffectedRows === 1n
}

export async function deleteUpload(tx: LibraryTx, owner: UploadOwner, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from exercise_video_uploads where id = ${id} and ${ofOwner(owner)}`.execute(tx)
  return numAffectedRows === 1n
}

/** A person has one unfinished upload for an exercise. */
export async function deleteUnfinished(tx: LibraryTx, owner: UploadOwner): Promise<void> {
  await sql`delete from exercise_video_uploads where ${ofOwner(owner)} and finished_at is null`.execute(tx)
}

/** In all organizations. */
export async function deleteExpiredUploads(tx: TenantTx, now: Date): Promise<void> {
  await sql`select delete_expired_video_uploads(${now})`.execute(tx)
}
