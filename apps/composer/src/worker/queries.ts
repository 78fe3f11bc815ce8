import { systemContext } from '@tendon/access'
import type { CompositionManifest, CompositionSet, RenderStage } from '@tendon/contracts'
import type { Database, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface Claimed {
  id: string
  organizationId: string
}

export interface RenderWork {
  exercise_id: string
  asset_version: number
  manifest: CompositionManifest
  language: string
  sets: CompositionSet[]
  seed: number
  attempts: number
  requested_at: string
}

interface Named {
  render_id: string
  render_organization_id: string
}

const claimed = ({ render_id, render_organization_id }: Named): Claimed => ({
  id: render_id,
  organizationId: render_organization_id,
})

export async function claimRender(db: Database, workerId: string, now: Date, perOrganization: number) {
  return db.tenant(systemContext(null), async (tx) => {
    const { rows } = await sql<Named>`
      select * from claim_render(${workerId}, ${now.toISOString()}, ${perOrganization})`.execute(tx)
    return rows[0] && claimed(rows[0])
  })
}

export async function claimPolls(db: Database, now: Date, againAt: Date, limit: number): Promise<Claimed[]> {
  return db.tenant(systemContext(null), async (tx) => {
    const { rows } = await sql<Named>`
      select * from claim_render_polls(${now.toISOString()}, ${againAt.toISOString()}, ${limit})`.execute(tx)
    return rows.map(claimed)
  })
}

export async function readWork(tx: TenantTx, id: string, workerId: string): Promise<RenderWork | undefined> {
  const { rows } = await sql<RenderWork>`
    select exercise_id, asset_version, manifest, language, sets, seed, attempts, requested_at from renders
    where id = ${id} and worker_id = ${workerId}`.execute(tx)
  return rows[0]
}

interface Beat {
  now: Date
  progress: number
  /** Of the rendering; later statuses have their own. */
  stage: RenderStage
}

/** False when the render was cancelled, or another worker has it. */
export async function beat(
  tx: TenantTx,
  id: string,
  workerId: string,
  { now, progress, stage }: Beat,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update renders set heartbeat_at = ${now.toISOString()}, progress = greatest(progress, ${progress}),
      stage = case when status = 'rendering' then ${stage} else stage end
    where id = ${id} and worker_id = ${workerId} and status in ('rendering', 'uploading')`.execute(tx)
  return numAffectedRows === 1n
}

export interface Uploading {
  provider: string
  seconds: number
  captions: readonly string[]
}

export async function beginUpload(tx: TenantTx, id: string, workerId: string, facts: Uploading): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update renders set status = 'uploading', stage = 'uploading', progress = 85, duration_seconds = ${facts.seconds}, captions = ${[...facts.captions]},
      host_provider = ${facts.provider}
    where id = ${id} and worker_id = ${workerId} and status = 'rendering'`.execute(tx)
  return numAffectedRows === 1n
}

/** A video of an earlier attempt is deleted unless the host returned it again. */
export async function saveReference(tx: TenantTx, id: string, workerId: string, reference: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update renders set host_reference = ${reference}, abandoned_reference = nullif(abandoned_reference, ${reference}),
      abandoned_references = array_remove(case when host_reference is null then abandoned_references
        else array_append(array_remove(abandoned_references, host_reference), host_reference) end, ${reference})
    where id = ${id} and worker_id = ${workerId} and status = 'uploading'`.execute(tx)
  return numAffectedRows === 1n
}

/** Whether the host has reported the end already; undefined when the render is no longer this worker's. */
export async function beginTranscoding(
  tx: TenantTx,
  id: string,
  workerId: string,
  now: Date,
  pollAt: Date,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ host_ready: boolean }>`
    update renders set status = 'transcoding', stage = 'transcoding', progress = 95, transcoding_at = ${now.toISOString()}, poll_at = ${pollAt.toISOString()},
      worker_id = null, heartbeat_at = null
    where id = ${id} and worker_id = ${workerId} and status = 'uploading' returning host_ready`.execute(tx)
  return rows[0]?.host_ready
}

interface NextAttempt {
  at: Date
  /** Whether the attempt that ends counts. */
  counts: boolean
  for: 'host' | 'disk' | null
}

/** Another attempt later. */
export async function queueAgain(tx: TenantTx, id: string, workerId: string, next: NextAttempt): Promise<void> {
  await sql`
    update renders set status = 'queued', stage = null, worker_id = null, heartbeat_at = null, run_at = ${next.at.toISOString()},
      waiting_for = ${next.for}, attempts = greatest(0, attempts - ${next.counts ? 0 : 1})
    where id = ${id} and worker_id = ${workerId} and status in ('rendering', 'uploading')`.execute(tx)
}

interface Polled {
  host_reference: string | null
  transcoding_at: string
  rebuilds: number
}

export async function readPolled(tx: TenantTx, id: string): Promise<Polled | undefined> {
  const { rows } = await sql<Polled>`
    select host_reference, transcoding_at, rebuilds from renders where id = ${id} and status = 'transcoding'`.execute(
    tx,
  )
  return rows[0]
}

/** From the beginning: the host has lost the video. */
export async function rebuild(tx: TenantTx, id: string, now: Date): Promise<void> {
  await sql`
    update renders set status = 'queued', stage = null, rebuilds = rebuilds + 1, attempts = 0, host_reference = null, host_ready = false,
      transcoding_at = null, poll_at = null, waiting_for = null, run_at = ${now.toISOString()}
    where id = ${id} and status = 'transcoding'`.execute(tx)
}

/** The host did not answer. */
export async function pollAgain(tx: TenantTx, id: string, at: Date): Promise<void> {
  await sql`
    update renders set poll_at = ${at.toISOString()}, waiting_for = 'host'
    where id = ${id} and status = 'transcoding'`.execute(tx)
}

interface HostVideo extends Claimed {
  reference: string | null
}

type NamedVideo = Named & { host_reference: string | null }
const video = (row: NamedVideo): HostVideo => ({ ...claimed(row), reference: row.host_reference })

export async function listUnusedRenders(tx: TenantTx, now: Date, limit: number): Promise<HostVideo[]> {
  const { rows } = await sql<NamedVideo>`select * from list_unused_renders(${now.toISOString()}, ${limit})`.execute(tx)
  return rows.map(video)
}

export async function listAbandonedVideos(tx: TenantTx, limit: number): Promise<HostVideo[]> {
  const { rows } = await sql<NamedVideo>`select * from list_abandoned_host_videos(${limit})`.execute(tx)
  return rows.map(video)
}

export async function deleteUnusedRender(tx: TenantTx, id: string): Promise<void> {
  await sql`select delete_unused_render(${id})`.execute(tx)
}

/** The video was deleted at the host. */
export async function forgetReference(tx: TenantTx, id: string, reference: string): Promise<void> {
  await sql`
    update renders set host_reference = null
    where id = ${id} and host_reference = ${reference} and status in ('failed', 'cancelled')`.execute(tx)
  await sql`
    update renders set abandoned_reference = nullif(abandoned_reference, ${reference}),
      abandoned_references = array_remove(abandoned_references, ${reference})
    where id = ${id} and (abandoned_reference = ${reference} or ${reference} = any (abandoned_references))`.execute(tx)
}

/** Deletes the video at the host again: an attempt wrote to it after the render was cancelled. */
export async function abandonReference(tx: TenantTx, id: string, reference: string): Promise<void> {
  await sql`
    update renders set abandoned_references = array_append(abandoned_references, ${reference})
    where id = ${id} and status in ('queued', 'failed', 'cancelled')
      and ${reference} <> all (abandoned_references)`.execute(tx)
}

export async function deleteUnusedBundleFiles(tx: TenantTx, now: Date): Promise<void> {
  await sql`select delete_unused_bundle_files(${now.toISOString()})`.execute(tx)
}

interface ActiveRenders {
  status: string
  count: number
  /** When the oldest of these renders was due. */
  oldest_at: string
}

export async function countActiveRenders(tx: TenantTx): Promise<ActiveRenders[]> {
  const { rows } = await sql<ActiveRenders>`select * from count_active_renders()`.execute(tx)
  return rows
}
