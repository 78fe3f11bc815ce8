import type { LibraryView, MediaEvent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { PoseMetrics } from '@tendon/pose'
import type { MediaSummary, Metrics } from '../media/reducer.ts'
import {
  deleteRows,
  insertRows,
  lockClaims,
  type RowOwner,
  supersedeBlobs,
  type TakeKey,
  updateFlushed,
} from './queries.ts'
import type { Replay } from './replay.ts'

export interface Finalised extends TakeKey, RowOwner {
  version: number
  /** What this version begins with. */
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

/** The manifest is gone, and with it the patient: nothing is to be written. */
export class ManifestGone extends Error {
  override name = 'ManifestGone'
}

/** Another take of the run was written meanwhile: begun again, this one begins with it. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/** All rows of the run in one transaction, in place of those of the version before; nothing when they are there already. */
export async function flushTake(tx: TenantTx, take: Finalised): Promise<void> {
  const { claim, baseVersion } = await lockClaims(tx, take)
  if (claim === 'gone') throw new ManifestGone()
  if (claim === 'flushed') return
  if (baseVersion !== take.baseVersion) throw new Overtaken('Another take of the run was written meanwhile.')
  for (const [table, rows] of Object.entries(rowsOf(take))) {
    if (table !== 'library_views' && table !== 'replay_blobs') await deleteRows(tx, take.runId, table)
    if (table === 'replay_blobs' && rows.length > 0) await supersedeBlobs(tx, take.runId)
    await insertRows(tx, take, table, rows)
  }
  await updateFlushed(tx, take, take.events, take.isDamaged)
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
        is_complete: hasEnded && !isDamaged, // else specialists must know that not everything of the run is here
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

/** The metrics as columns; of a run without one event there are no times, and nothing happened. */
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
