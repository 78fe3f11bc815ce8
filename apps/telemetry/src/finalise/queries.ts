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
  /** An earlier take of the run was its end: what this one holds came too late. */
  is_late: boolean
  /** A later take of the run is written already, without this one. */
  is_overtaken: boolean
  /** Of the silence before, should there have been one. */
  earlier_events: MediaEvent[] | null
  earlier_blob: string | null
}

/** The take's version in its run: given once, whoever asks again. */
export async function claimTake(
  tx: TenantTx,
  { runId, takeId }: TakeKey,
  profileId: string,
  reason: Seal,
): Promise<Claim> {
  await sql`
    insert into run_finalisations (run_id, patient_profile_id, take_id, version, reason)
    select ${runId}, ${profileId}, ${takeId}, coalesce(max(version), 0) + 1, ${reason}
    from run_finalisations where run_id = ${runId}
    on conflict (take_id) do nothing`.execute(tx)
  const { rows } = await sql<Claim>`
    select f.version, f.flushed_at is not null as is_flushed,
      exists (select 1 from run_finalisations e where e.run_id = f.run_id and e.version < f.version
        and e.reason = 'ended' and e.flushed_at is not null) as is_late,
      exists (select 1 from run_finalisations e where e.run_id = f.run_id and e.version > f.version
        and e.flushed_at is not null) as is_overtaken,
      (select e.events from run_finalisations e where e.run_id = f.run_id and e.version < f.version
        and e.flushed_at is not null order by e.version desc limit 1) as earlier_events,
      (select b.object_key from replay_blobs b where b.run_id = f.run_id and b.version < f.version
        and b.superseded_at is null order by b.version desc limit 1) as earlier_blob
    from run_finalisations f where f.take_id = ${takeId}`.execute(tx)
  const [claim] = rows
  if (!claim) throw new Error('a claim that was just made is gone')
  return claim
}

/** Locks the claim. Gone, it went with its manifest. */
export async function lockClaim(tx: TenantTx, takeId: string): Promise<'open' | 'flushed' | 'gone'> {
  const { rows } = await sql<{ is_open: boolean }>`
    select flushed_at is null as is_open from run_finalisations where take_id = ${takeId} for update`.execute(tx)
  const [claim] = rows
  if (!claim) return 'gone'
  return claim.is_open ? 'open' : 'flushed'
}

/** `events` are kept for a next version, those of the versions before are not needed any more. */
export async function updateFlushed(
  tx: TenantTx,
  { runId, takeId }: TakeKey,
  events: readonly MediaEvent[] | null,
): Promise<void> {
  await sql`
    update run_finalisations set events = null
    where run_id = ${runId} and take_id <> ${takeId} and events is not null`.execute(tx)
  await sql`
    update run_finalisations set flushed_at = now(), events = ${events && JSON.stringify(events)}::jsonb
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
