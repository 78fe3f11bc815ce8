import type { MediaEvent, RunAnalytics, RunTimeline } from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { analyse } from './reading.ts'
import type { ClinicRun } from './reading-queries.ts'
import { findMediaEvents, findVideos } from './timeline-queries.ts'

export const READING_TIMELINE = {
  codes: ['session_runs.view_org', 'treatment_plans.view_org', 'exercises.manage_org', 'data.view_deleted'],
  why: 'Who views runs need not see plans, nor exercises that are deleted or not published.',
}

const NO_VIDEO = { video_url: null, video_provider: null, video_thumbnail_url: null, video_duration_seconds: null }

/** What happened in a run, on one clock: that of the frames, which starts with the first `session_start`. */
export async function timelineOf(tx: TenantTx, run: ClinicRun): Promise<RunTimeline> {
  const [analytics, given, videos] = await asService(tx, READING_TIMELINE.codes, (own) =>
    together([analyse(own, run), findMediaEvents(own, run.id), findVideos(own, run.id)]),
  )
  const events = (given ?? []).toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  const start = startOf(events, analytics)
  const atMs = (time: string | null): number | null =>
    time === null ? null : Math.round(Date.parse(time) - Date.parse(start.at))
  return {
    run_id: run.id,
    patient: run.patient,
    session_start_at: start.at,
    session_start_source: start.source,
    ended_at: run.ended_at,
    replay_available: analytics.replay_available,
    exercises: analytics.exercise_results.map(
      ({ session_exercise_id, exercise_id, exercise_name, media, repetitions }) => ({
        ...(videos.get(session_exercise_id) ?? NO_VIDEO),
        session_exercise_id,
        exercise_id,
        exercise_name,
        from_ms: atMs(media?.started_at ?? null),
        to_ms: atMs(media?.ended_at ?? null),
        repetitions,
      }),
    ),
    media_events_available: given !== undefined,
    media_events: events.map((event) => ({
      event: event.event,
      media_id: event.media_id,
      occurred_at: event.timestamp,
      at_ms: atMs(event.timestamp),
      position_seconds: positionOf(event),
    })),
    exercise_events: analytics.exercise_results
      .flatMap(({ events: ofExercise }) => ofExercise)
      .map((event) => ({ ...event, at_ms: atMs(event.occurred_at) }))
      .sort((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at)),
    pain_reports: analytics.pain_reports.map((report) => ({ ...report, at_ms: atMs(report.occurred_at) })),
  }
}

/** Once the events are deleted, the first of them is still known from the metrics. A run may have no telemetry at all. */
function startOf(
  events: readonly MediaEvent[],
  { media, started_at }: RunAnalytics,
): { at: string; source: RunTimeline['session_start_source'] } {
  const start = events.find(({ event }) => event === 'session_start')
  if (start) return { at: start.timestamp, source: 'session_start' }
  const first = media?.started_at ?? null
  return first === null ? { at: started_at, source: 'run_started' } : { at: first, source: 'first_event' }
}

function positionOf({ data }: MediaEvent): number | null {
  const position = data?.position_seconds
  return typeof position === 'number' ? position : null
}
