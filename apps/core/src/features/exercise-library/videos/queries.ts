import type { ExerciseVideo } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type LibraryTx = TenantTx | PlatformTx

const COLUMNS = ['video_url', 'video_provider', 'video_duration_seconds', 'video_thumbnail_url'] as const

export const NO_VIDEO = {
  video_url: null,
  video_provider: null,
  video_duration_seconds: null,
  video_thumbnail_url: null,
  video_object_key: null,
}

type StoredVideo = ExerciseVideo & { video_object_key: string | null }

/** The video of an exercise that the caller has locked. */
export function findVideo(tx: LibraryTx, exerciseId: string): Promise<ExerciseVideo> {
  return tx.selectFrom('exercises').select(COLUMNS).where('id', '=', exerciseId).executeTakeFirstOrThrow()
}

/** Replaces the previous video; a trigger releases it. */
export function updateVideo(tx: LibraryTx, exerciseId: string, video: StoredVideo): Promise<ExerciseVideo> {
  return tx
    .updateTable('exercises')
    .set(video)
    .where('id', '=', exerciseId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Whether an exercise of anybody's shows the video. */
export async function isShown(tx: TenantTx, reference: string): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`select is_exercise_video_used(${reference}) as shown`.execute(tx)
  return rows[0]?.shown ?? false
}

/** Sets the URLs of every exercise that shows the video. False when none does. */
export async function updateVideoUrls(
  tx: TenantTx,
  reference: string,
  { video_url, video_thumbnail_url }: { video_url: string; video_thumbnail_url: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select set_exercise_video_urls(${reference}, ${video_url}, ${video_thumbnail_url}) as shown`.execute(tx)
  return rows[0]?.shown ?? false
}

/** The name of the video at the video host. */
export async function saveHostReference(tx: TenantTx, reference: string, hostReference: string): Promise<void> {
  await sql`select set_exercise_video_host_reference(${reference}, ${hostReference})`.execute(tx)
}
