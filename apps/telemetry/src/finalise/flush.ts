import type { LibraryView, MediaEvent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { PoseMetrics } from '@tendon/pose'
import type { MediaSummary, Metrics } from '../media/reducer.ts'
import {
  deleteRows,
  insertRows,
  lockClaims,
  type RecordingKey,
  type RowOwner,
  supersedeBlobs,
  updateFlushed,
} from './queries.ts'
import type { Replay } from './replay.ts'

export interface Finalised extends RecordingKey, RowOwner {
  version: number
  /** The version that this one builds on. */
  baseVersion: number
  hasEnded: boolean
  /** Something of the run could not be read. */
  isDamaged: boolean
  media: MediaSummary
  views: readonly LibraryView[]
  /** Kept for the next version. */
  events: readonly MediaEvent[]
  pose: PoseMetrics | undefined
  exerciseIds: ReadonlyMap<string, string | null>
  replay: (Replay & { key: string }) | undefined
}

/** The manifest was deleted with the patient: nothing is written. */
export class ManifestGone extends Error {
  override name = 'ManifestGone'
}

/** Another recording of the run was written meanwhile: start again on top of it. */
class StaleBase extends Error {
  override name = 'StaleBase'
}

/**
 * Writes all rows of the run in one transaction, replacing those of the version before. Does nothing when they are
 * already written.
 */
export async function flushRecording(tx: TenantTx, recording: Finalised): Promise<void> {
  const { claim, baseVersion } = await lockClaims(tx, recording)
  if (claim === 'gone') throw new ManifestGone()
  if (claim === 'flushed') return
  if (baseVersion !== recording.baseVersion) throw new StaleBase('Another recording of the run was written meanwhile.')
  for (const [table, rows] of Object.entries(rowsOf(recording))) {
    if (table !== 'library_views' && table !== 'replay_blobs') await deleteRows(tx, recording.runId, table)
    if (table === 'replay_blobs' && rows.length > 0) await supersedeBlobs(tx, recording.runId)
    await insertRows(tx, recording, table, rows)
  }
  await updateFlushed(tx, recording, recording.events, recording.isDamaged)
}

export function rowsOf({
  version,
  hasEnded,
  isDamaged,
  media,
  views,
  pose,
  exerciseIds,
  replay,
}: Finalised): Record<string, object[]> {
  const { run } = media
  return {
    media_session_metrics: [
      {
        version,
        is_complete: hasEnded && !isDamaged, // otherwise specialists must see that data is missing
        end_reason: run?.end_reason ?? null,
        event_count: run?.events ?? 0,
        ...columnsOf(run),
      },
    ],
    media_item_metrics: media.items.map(({ media_id, watched_pct, start_data, ...metrics }) => ({
      media_id,
      watched_pct,
      start_data,
      ...columnsOf(metrics),
    })),
    media_buffering_events: media.bufferings.map((buffering, index) => ({
      ...buffering,
      ordinal: index + 1,
      started_at: isoTime(buffering.started_at),
    })),
    pose_session_metrics: (pose?.exercises ?? []).map(({ range_of_motion_degrees: range, ...metrics }) => ({
      ...metrics,
      exercise_id: exerciseIds.get(metrics.media_id) ?? null,
      range_min_degrees: range?.min ?? null,
      range_max_degrees: range?.max ?? null,
      range_mean_degrees: range?.mean ?? null,
    })),
    pose_repetitions: [...(pose?.repetitions ?? [])],
    library_views: views.map(({ media_id, viewed_at, duration_seconds = null }) => ({
      media_id,
      viewed_at,
      duration_seconds,
    })),
    replay_blobs: replay
      ? [
          {
            version,
            object_key: replay.key,
            bytes: replay.bytes,
            frame_count: replay.frames,
            batch_count: replay.batches,
            capture: replay.capture,
          },
        ]
      : [],
  }
}

/** The metrics as columns. A run without events has no times. */
const columnsOf = (metrics: Metrics | undefined) => ({
  started_at: metrics ? isoTime(metrics.started_at) : null,
  ended_at: metrics ? isoTime(metrics.ended_at) : null,
  startup_ms: metrics?.startup_ms ?? null,
  rebuffer_count: metrics?.rebuffer_count ?? 0,
  rebuffer_ms: metrics?.rebuffer_ms ?? 0,
  rebuffer_pct: metrics?.rebuffer_pct ?? null,
  watch_seconds: metrics?.watch_seconds ?? 0,
  unique_seconds: metrics?.unique_seconds ?? 0,
  quality_switches: metrics?.quality_switches ?? 0,
  dropped_frames: metrics?.dropped_frames ?? 0,
  total_frames: metrics?.total_frames ?? 0,
  dropped_frame_pct: metrics?.dropped_frame_pct ?? null,
  hidden_ms: metrics?.hidden_ms ?? 0,
})

const isoTime = (time: number): string => new Date(time).toISOString()
