import type { MediaEvent, RunTimeline } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

type Exercise = RunTimeline['exercises'][number]
export type Video = Pick<
  Exercise,
  'session_exercise_id' | 'video_url' | 'video_provider' | 'video_thumbnail_url' | 'video_duration_seconds'
>

/** The videos of the exercises as they are now, also of those that were deleted or taken out of the plan. */
export async function findVideos(tx: ServiceTx, runId: string): Promise<Map<string, Video>> {
  const { rows } = await sql<Video>`
    select e.id as session_exercise_id, x.video_url, x.video_provider, x.video_thumbnail_url, x.video_duration_seconds
    from session_runs r
    join session_exercises e on e.organization_id = r.organization_id and e.id = any (r.session_exercise_ids)
    join exercises x on x.id = e.exercise_id and (x.organization_id is null or x.organization_id = e.organization_id)
    where r.id = ${runId} and r.organization_id = (select current_app_org_id())`.execute(tx)
  return new Map(rows.map((row) => [row.session_exercise_id, row]))
}

/** Events of the newest recording; undefined when there is none, or its events were deleted. */
export async function findMediaEvents(tx: ServiceTx, runId: string): Promise<MediaEvent[] | undefined> {
  const { rows } = await sql<{ events: MediaEvent[] }>`
    select events from run_finalisations
    where organization_id = (select current_app_org_id()) and run_id = ${runId} and events is not null
    order by version desc limit 1`.execute(tx)
  return rows[0]?.events
}
