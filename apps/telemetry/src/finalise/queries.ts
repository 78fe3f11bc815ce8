import type { MediaEvent } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Seal } from '../runs/take.ts'

export interface ManifestRow {
  patient_profile_id: string
  items: { media_id: string; exercise_id?: string | null; pose_config?: unknown }[]
}

export interface TakeKey {
  runId: string
  takeId: string
}

export async function findManifest(tx: TenantTx, runId: string): Promise<ManifestRow | undefined> {
  const { rows } = await sql<ManifestRow>`
    select patient_profile_id, items from run_manifests where run_id = ${runId}`.execute(tx)
  return rows[0]
}

export interface Claim {
  version: number
  is_flushed: boolean
  /** The version that is written now, which this one is to begin with; 0 for none. */
  base_version: number
  /** Since it was claimed another take of the run was written. */
  is_outdated: boolean
  /** The run had ended before the take began. */
  is_late: boolean
  /** The run has ended, and its end is written. */
  has_ended: boolean
  /** The take began before all that is written. */
  is_first: boolean
  base_events: MediaEvent[] | null
  base_damaged: boolean
  base_replay: { key: string; capture: unknown } | null
}

export interface NewClaim extends TakeKey, RowOwner {
  reason: Seal
  beganAt: Date
  endedAt: Date | null
}

/** The take's version in its run: given once, whoever asks again. */
export async function claimTake(tx: TenantTx, take: NewClaim): Promise<Claim> {
  const { runId, profileId, takeId, reason, beganAt, endedAt } = take
  await sql`
    insert into run_finalisations (run_id, patient_profile_id, take_id, version, based_on, reason, ended_at)
    select ${runId}, ${profileId}, ${takeId}, coalesce(max(version), 0) + 1,
      coalesce(max(version) filter (where flushed_at is not null), 0), ${reason}, ${endedAt}
    from run_finalisations where run_id = ${runId}
    on conflict (take_id) do nothing`.execute(tx)
  const { rows } = await sql<Claim>`
    with written as (
      select * from run_finalisations where run_id = ${runId} and take_id <> ${takeId} and flushed_at is not null)
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
        coalesce(bool_and(take_id > ${takeId}), false) as is_first
      from written) w
    where f.take_id = ${takeId}`.execute(tx)
  const [claim] = rows
  if (!claim) throw new Error('a claim that was just made is gone')
  return claim
}

/** A version of its own for what begins with the version that is written now. */
export async function renewClaim(tx: TenantTx, { runId, takeId }: TakeKey): Promise<void> {
  await sql`
    update run_finalisations set version = w.next, based_on = w.base
    from (select max(version) + 1 as next, coalesce(max(version) filter (where flushed_at is not null), 0) as base
      from run_finalisations where run_id = ${runId}) w
    where take_id = ${takeId} and flushed_at is null`.execute(tx)
}

/** Locks all claims of the run: its takes are written one after the other. Gone, they went with their manifest. */
export async function lockClaims(
  tx: TenantTx,
  { runId, takeId }: TakeKey,
): Promise<{ claim: 'open' | 'flushed' | 'gone'; baseVersion: number }> {
  const { rows } = await sql<{ take_id: string; version: number; is_flushed: boolean }>`
    select take_id, version, flushed_at is not null as is_flushed from run_finalisations
    where run_id = ${runId} order by take_id for update`.execute(tx)
  const own = rows.find(({ take_id }) => take_id === takeId)
  const written = rows.filter(({ is_flushed }) => is_flushed).map(({ version }) => version)
  return { claim: own ? (own.is_flushed ? 'flushed' : 'open') : 'gone', baseVersion: Math.max(0, ...written) }
}

/** The events are kept for a next version, those of the versions before are not needed any more. */
export async function updateFlushed(
  tx: TenantTx,
  { runId, takeId }: TakeKey,
  events: readonly MediaEvent[],
  isDamaged: boolean,
): Promise<void> {
  await sql`
    update run_finalisations set events = null
    where run_id = ${runId} and take_id <> ${takeId} and events is not null`.execute(tx)
  await sql`
    update run_finalisations
    set flushed_at = now(), events = ${JSON.stringify(events)}::jsonb, is_damaged = ${isDamaged}
    where take_id = ${takeId}`.execute(tx)
}

export interface RowOwner {
  runId: string
  profileId: string
}

/** Rows of one table with the same members, by name. */
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
