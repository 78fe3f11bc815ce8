import type { CompositionManifest, CompositionSet, List, RenderStage, RenderStatus } from '@tendon/contracts'
import { type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface RenderRow {
  id: string
  organization_id: string
  exercise_id: string
  exercise: string
  asset_version: number
  language: string
  sets: CompositionSet[]
  seed: number
  status: RenderStatus
  progress: number
  stage: RenderStage | null
  duration_seconds: number | null
  captions: string[]
  error_code: string | null
  error_message: string | null
  host_provider: string | null
  host_reference: string | null
  waiting_for: 'host' | 'disk' | null
  waiting_until: string | null
  created_at: string
  updated_at: string
}

const renders = (tx: TenantTx) =>
  tx
    .selectFrom('renders')
    .innerJoin('exercises', 'exercises.id', 'renders.exercise_id')
    .select([
      'renders.id',
      'renders.organization_id',
      'renders.exercise_id',
      'exercises.slug as exercise',
      'renders.asset_version',
      'renders.language',
      'renders.sets',
      sql<number>`renders.seed`.as('seed'),
      'renders.status',
      'renders.progress',
      'renders.stage',
      'renders.duration_seconds',
      'renders.captions',
      'renders.error_code',
      'renders.error_message',
      'renders.host_provider',
      'renders.host_reference',
      'renders.waiting_for',
      sql<
        string | null
      >`case renders.status when 'queued' then renders.run_at when 'transcoding' then renders.poll_at end`.as(
        'waiting_until',
      ),
      'renders.created_at',
      'renders.updated_at',
    ])

export const findRender = (tx: TenantTx, id: string): Promise<RenderRow | undefined> =>
  renders(tx).where('renders.id', '=', id).executeTakeFirst()

export function listRenders(tx: TenantTx, list: List): Promise<{ rows: RenderRow[]; total: number }> {
  const columns = {
    status: 'renders.status',
    exercise: 'exercises.slug',
    created_at: 'renders.created_at',
    updated_at: 'renders.updated_at',
  }
  return readPage(renders(tx), list, { columns, id: 'renders.id', newest: 'renders.created_at' })
}

interface NewRender {
  exerciseId: string
  assetVersion: number
  manifest: CompositionManifest
  language: string
  sets: readonly CompositionSet[]
  seed: number
  fingerprint: string
}

/** Until the end of the transaction nobody else of the organization requests a render. */
export async function lockRequests(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('renders ' || current_app_org_id(), 0))`.execute(tx)
}

export interface Counts {
  waiting: number
  today: number
}

export async function countRenders(tx: TenantTx): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where status = 'queued')::int as waiting,
      coalesce(sum(requests) filter (where requested_at > now() - interval '1 day'), 0)::int as today
    from renders where organization_id = (select current_app_org_id())
      and (status = 'queued' or requested_at > now() - interval '1 day')`.execute(tx)
  return rows[0] ?? { waiting: 0, today: 0 }
}

export async function findRenderId(
  tx: TenantTx,
  fingerprint: string,
): Promise<{ id: string; status: RenderStatus } | undefined> {
  const { rows } = await sql<{ id: string; status: RenderStatus }>`
    select id, status from renders where organization_id = (select current_app_org_id()) and fingerprint = ${fingerprint}`.execute(
    tx,
  )
  return rows[0]
}

export async function insertRender(tx: TenantTx, render: NewRender): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into renders (exercise_id, asset_version, manifest, language, sets, seed, fingerprint)
    values (${render.exerciseId}, ${render.assetVersion}, ${JSON.stringify(render.manifest)}, ${render.language}, ${JSON.stringify(render.sets)}, ${render.seed},
      ${render.fingerprint}) returning id`.execute(tx)
  return rows[0]?.id ?? ''
}

/** A render that failed or was cancelled is queued again; what the host has of it is deleted first. */
export async function restartRender(tx: TenantTx, id: string): Promise<void> {
  await sql`
    update renders set status = 'queued', progress = 0, stage = null, error_code = null, error_message = null, attempts = 0,
      rebuilds = 0, run_at = now(), worker_id = null, heartbeat_at = null, host_ready = false, transcoding_at = null, poll_at = null,
      waiting_for = null, abandoned_references = case when host_reference is null then abandoned_references
        else array_append(array_remove(abandoned_references, host_reference), host_reference) end,
      host_reference = null, requested_at = now(),
      requests = case when requested_at > now() - interval '1 day' then requests + 1 else 1 end
    where id = ${id} and status in ('failed', 'cancelled')`.execute(tx)
}

/** False when it has ended. */
export async function cancelRender(tx: TenantTx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update renders set status = 'cancelled', stage = null, worker_id = null, heartbeat_at = null, poll_at = null, waiting_for = null
    where id = ${id} and status in ('queued', 'rendering', 'uploading', 'transcoding')`.execute(tx)
  return numAffectedRows === 1n
}

interface PublicRender {
  status: RenderStatus
  host_provider: string | null
  host_reference: string | null
}

export async function findPublicRender(tx: PublicTx, id: string): Promise<PublicRender | undefined> {
  const { rows } = await sql<PublicRender>`select * from find_public_render(${id})`.execute(tx)
  return rows[0]
}
