import { randomUUID } from 'node:crypto'
import type { TestDatabase } from '@tendon/testing'

/** A run of a patient with a row in every table of telemetry, and one with only its manifest. */
export async function createRuns(query: TestDatabase['query'], id: string, profile: string) {
  const newRun = async () => {
    const run = randomUUID()
    await query(
      `insert into run_manifests (run_id, organization_id, patient_profile_id, items) values ($1, $2, $3, '[]')`,
      [run, id, profile],
    )
    return run
  }
  const [run, spareRun] = await Promise.all([newRun(), newRun()])
  for (const [table, { columns, values }] of Object.entries(TELEMETRY_ROWS)) {
    await query(
      `insert into ${table} (organization_id, run_id, patient_profile_id, ${columns}) values ($1, $2, $3, ${values})`,
      [id, run, profile],
    )
  }
  return { run, spareRun }
}

const METRICS =
  'rebuffer_count, rebuffer_ms, watch_seconds, unique_seconds, quality_switches, dropped_frames, total_frames, hidden_ms'
const ZEROS = '0, 0, 0, 0, 0, 0, 0, 0'

/** Table → the columns that a row must have besides organization, run and patient. */
export const TELEMETRY_ROWS: Record<string, { columns: string; values: string }> = {
  run_finalisations: { columns: 'recording_id, version, reason', values: `gen_random_uuid(), 1, 'silence'` },
  media_session_metrics: {
    columns: `version, is_complete, event_count, ${METRICS}`,
    values: `1, true, 0, ${ZEROS}`,
  },
  media_item_metrics: { columns: `media_id, watched_pct, ${METRICS}`, values: `'squat', 0, ${ZEROS}` },
  media_buffering_events: {
    columns: 'ordinal, media_id, reason, started_at, duration_ms',
    values: `1, 'squat', 'network', now(), 5`,
  },
  pose_session_metrics: { columns: 'media_id, measured, confidence', values: `'squat', true, 1` },
  pose_repetitions: {
    columns:
      'media_id, number, side, start_ms, peak_ms, end_ms, peak_degrees, range_degrees, tempo_seconds, hold_seconds, feedback',
    values: `'squat', 1, 'left', 0, 1, 2, 90, 90, 2, 0, '{}'`,
  },
  replay_blobs: {
    columns: 'version, object_key, bytes, frame_count, batch_count',
    values: `1, 'replays/' || gen_random_uuid(), 1, 1, 1`,
  },
  library_views: { columns: 'media_id, viewed_at', values: `'squat', now()` },
}
