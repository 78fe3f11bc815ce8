import type { MediaEvent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Seal } from '../runs/recording.ts'

export interface ManifestRow {
  patient_profile_id: string
  items: { media_id: string; exercise_id?: string | null; pose_config?: unknown }[]
}

export interface RecordingKey {
  runId: string
  recordingId: string
}

export async function findManifest(tx: TenantTx, runId: string): Promise<ManifestRow | undefined> {
  const { rows } = await sql<ManifestRow>`
    select patient_profile_id, items from run_manifests where run_id = ${runId}`.execute(tx)
  return rows[0]
}

export interface Claim {
  version: number
  is_flushed: boolean
  /** The latest written version, which this one builds on; 0 for none. */
  base_version: number
  /** Another recording of the run was written since this one was claimed. */
  is_outdated: boolean
  /** The run ended before the recording began. */
  is_late: boolean
  /** The run has ended, and its end is written. */
  has_ended: boolean
  /** The recording began before everything that is written. */
  is_first: boolean
  base_events: MediaEvent[] | null
  base_damaged: boolean
  base_replay: { key: string; capture: unknown } | null
}

interface NewClaim extends RecordingKey, RowOwner {
  reason: Seal
  beganAt: Date
  endedAt: Date | null
}

/** Claims the recording's version in its run. Repeating the claim returns the same version. */
export async function claimRecording(tx: TenantTx, recording: NewClaim): Promise<Claim> {
  const { runId, profileId, recordingId, reason, beganAt, endedAt } = recording
  await sql`
    insert into run_finalisations (run_id, patient_profile_id, recording_id, version, based_on, reason, ended_at)
    select ${runId}, ${profileId}, ${recordingId}, coalesce(max(version), 0) + 1,
      coalesce(max(version) filter (where flushed_at is not null), 0), ${reason}, ${endedAt}
    from run_finalisations where run_id = ${runId}
    on conflict (recording_id) do nothing`.execute(tx)
  const { rows } = await sql<Claim>`
    with written as (
      select * from run_finalisations where run_id = ${runId} and recording_id <> ${recordingId} and flushed_at is not null)
    select f.version, f.flushed_at is not null as is_flushed, w.*,
      f.based_on is distinct from w.base_version as is_outdated,
      (select events from written where version = w.base_version) as base_events,
      coalesce((select is_damaged from written where version = w.base_version), false) as base_damaged,
      (select jsonb_build_object('key', object_key, 'capture', capture) from replay_blobs
        where run_id = ${runId} and superseded_at is null order by version desc limit 1) as base_replay
    from run_finalisations f, (
      select coalesce(max(version), 0) as base_version,
        coalesce(bool_or(reason = 'ended'), false) as has_ended,
        coalesce(bool_or(reason = 'ended' and coalesce(ended_at < ${beganAt}, true)), false) as is_late,
        coalesce(bool_and(recording_id > ${recordingId}), false) as is_first
      from written) w
    where f.recording_id = ${recordingId}`.execute(tx)
  const [claim] = rows
  if (!claim) throw new Error('The claim was deleted meanwhile.')
  return claim
}

/** Claims a new version on top of the latest one. */
export async function renewClaim(tx: TenantTx, { runId, recordingId }: RecordingKey): Promise<void> {
  await sql`
    update run_finalisations set version = w.next, based_on = w.base
    from (select max(version) + 1 as next, coalesce(max(version) filter (where flushed_at is not null), 0) as base
      from run_finalisations where run_id = ${runId}) w
    where recording_id = ${recordingId} and flushed_at is null`.execute(tx)
}

/**
 * Locks all claims of the run, so that its recordings are written one at a time. Returns nothing when the manifest was
 * deleted.
 */
export async function lockClaims(
  tx: TenantTx,
  { runId, recordingId }: RecordingKey,
): Promise<{ claim: 'open' | 'flushed' | 'gone'; baseVersion: number }> {
  const { rows } = await sql<{ recording_id: string; version: number; is_flushed: boolean }>`
    select recording_id, version, flushed_at is not null as is_flushed from run_finalisations
    where run_id = ${runId} order by recording_id for update`.execute(tx)
  const own = rows.find(({ recording_id }) => recording_id === recordingId)
  const written = rows.filter(({ is_flushed }) => is_flushed).map(({ version }) => version)
  return { claim: own ? (own.is_flushed ? 'flushed' : 'open') : 'gone', baseVersion: Math.max(0, ...written) }
}

/** Keeps the events for the next version and deletes those of earlier versions. */
export async function updateFlushed(
  tx: TenantTx,
  { runId, recordingId }: RecordingKey,
  events: readonly MediaEvent[],
  isDamaged: boolean,
): Promise<void> {
  await sql`
    update run_finalisations set events = null
    where run_id = ${runId} and recording_id <> ${recordingId} and events is not null`.execute(tx)
  await sql`
    update run_finalisations
    set flushed_at = now(), events = ${JSON.stringify(events)}::jsonb, is_damaged = ${isDamaged}
    where recording_id = ${recordingId}`.execute(tx)
}

export interface RowOwner {
  runId: string
  profileId: string
}

/** Inserts rows with the same keys into one table. */
export async function insertRows(
  tx: TenantTx,
  { runId, profileId }: RowOwner,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (run_id, patient_profile_id, ${columns})
    select ${runId}::uuid, ${profileId}::uuid, ${columns}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`.execute(tx)
}

export async function deleteRows(tx: TenantTx, runId: string, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)} where run_id = ${runId}`.execute(tx)
}

export async function supersedeBlobs(tx: TenantTx, runId: string): Promise<void> {
  await sql`
    update replay_blobs set superseded_at = now() where run_id = ${runId} and superseded_at is null`.execute(tx)
}

export async function listSupersededBlobs(tx: TenantTx, runId: string): Promise<string[]> {
  const { rows } = await sql<{ object_key: string }>`
    select object_key from replay_blobs where run_id = ${runId} and superseded_at is not null`.execute(tx)
  return rows.map(({ object_key }) => object_key)
}

export async function deleteBlob(tx: TenantTx, key: string): Promise<void> {
  await sql`delete from replay_blobs where object_key = ${key} and superseded_at is not null`.execute(tx)
}
