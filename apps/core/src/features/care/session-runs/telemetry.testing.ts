import type { TestCore } from '../../../testing/core.ts'
import type { Patient } from './runs.testing.ts'

/** Writes what the telemetry service would have written of a run: the first exercise measured, the second not. */
export function telemetryOf(core: TestCore) {
  const PLAYBACK = `started_at, ended_at, startup_ms, rebuffer_count, rebuffer_ms, rebuffer_pct, watch_seconds, unique_seconds,
    quality_switches, dropped_frames, total_frames, dropped_frame_pct, hidden_ms`
  const PLAYED = `now() - interval '10 minutes', now(), 640, 1, 900, 1.5, 512.4, 500, 2, 10, 1000, 1.0, 3000`

  const insert = (table: string, of: Patient, runId: string, columns: string, values: string, more: unknown[] = []) =>
    core.database.query(
      `insert into ${table} (organization_id, run_id, patient_profile_id, ${columns}) values ($1, $2, $3, ${values})`,
      [of.clinic.id, runId, of.profile_id, ...more],
    )

  async function write(of: Patient, runId: string, { complete = true } = {}): Promise<void> {
    const [first, second] = of.exercises
    await insert(
      'media_session_metrics',
      of,
      runId,
      `version, is_complete, end_reason, event_count, ${PLAYBACK}`,
      `1, ${complete}, 'completed', 12, ${PLAYED}`,
    )
    await insert('media_item_metrics', of, runId, `media_id, watched_pct, ${PLAYBACK}`, `$4, 75, ${PLAYED}`, [first])
    await insert(
      'media_buffering_events',
      of,
      runId,
      'ordinal, media_id, reason, started_at, duration_ms',
      `1, $4, 'network', now(), 900`,
      [first],
    )
    await insert(
      'pose_session_metrics',
      of,
      runId,
      `media_id, measured, confidence, side, repetitions, repetitions_to_target, not_visible_ms, range_min_degrees, range_max_degrees, range_mean_degrees,
        tempo_seconds, symmetry, hold_seconds`,
      `$4, true, 0.9, 'left', 2, 1, 4000, 80, 90, 85, 2.5, 0.95, 0`,
      [first],
    )
    if (second !== undefined)
      await insert(
        'pose_session_metrics',
        of,
        runId,
        'media_id, measured, reason, confidence',
        `$4, false, 'not_visible', 0.1`,
        [second],
      )
    for (const number of [1, 2])
      await insert(
        'pose_repetitions',
        of,
        runId,
        'media_id, number, side, start_ms, peak_ms, end_ms, peak_degrees, range_degrees, tempo_seconds, hold_seconds, reached_target, feedback',
        `$4, $5, 'left', $5::integer * 1000, $5::integer * 1000 + 900, $5::integer * 1000 + 1800, 100, 85, 1.8, 0, $5::integer = 2, '{deeper}'`,
        [first, number],
      )
    await insert('library_views', of, runId, 'media_id, viewed_at', '$4, now()', [first])
    await insert(
      'run_finalisations',
      of,
      runId,
      'recording_id, version, reason, events',
      `gen_random_uuid(), 1, 'silence', '[]'`,
    )
  }

  const keyOf = (of: Patient, runId: string, version: number) => `replays/${of.clinic.id}/${runId}/${version}.bin.gz`

  /** The recorded frames, as an object in the store and the row that names it. */
  async function replay(of: Patient, runId: string, version = 1): Promise<string> {
    const key = keyOf(of, runId, version)
    const body = Buffer.from(`frames of version ${version}`)
    await core.services.objects.put(key, body, { contentType: 'application/gzip', maxBytes: 1_000 })
    await insert(
      'replay_blobs',
      of,
      runId,
      'version, object_key, bytes, frame_count, batch_count',
      '$4, $5, $6, 300, 10',
      [version, key, body.length],
    )
    return key
  }

  return { write, replay }
}
