import type { MediaEvent, RunTimeline } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Exercise = RunTimeline['exercises'][number]
export type Video = Pick<
  Exercise,
  'session_exercise_id' | 'video_url' | 'video_provider' | 'video_thumbnail_url' | 'video_duration_seconds'
>

export async function findVideos(tx: TenantTx, runId: string): Promise<Map<string, Video>> {
  const { rows } = await sql<Video>`select * from session_run_videos(${runId})`.execute(tx)
  return new Map(rows.map((row) => [row.session_exercise_id, row]))
}

/** Events of the newest recording; undefined when there is none, or its events were deleted. */
export async function findMediaEvents(tx: TenantTx, runId: string): Promise<MediaEvent[] | undefined> {
  const { rows } = await sql<{ events: MediaEvent[] }>`
    select events from run_finalisations
    where organization_id = current_app_org_id() and run_id = ${runId} and events is not null
    order by version desc limit 1`.execute(tx)
  return rows[0]?.events
}
