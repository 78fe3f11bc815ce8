import type { RenderStatus } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** The slug of the exercise; undefined when the render is in another status. */
export async function endRender(
  tx: TenantTx,
  id: string,
  status: 'ready' | 'failed',
  from: readonly RenderStatus[],
  error?: { code: string; message: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ slug: string }>`
    update renders r set status = ${status}, stage = null, progress = case when ${status} = 'ready' then 100 else r.progress end,
      error_code = ${error?.code ?? null}, error_message = ${error?.message ?? null}, poll_at = null, worker_id = null,
      heartbeat_at = null, waiting_for = null
    from exercises e where r.id = ${id} and r.status = any (${[...from]}) and e.id = r.exercise_id returning e.slug`.execute(
    tx,
  )
  return rows[0]?.slug
}

/** A webhook that arrived before the status was `transcoding` counts when it becomes so. */
export async function noteHostReady(tx: TenantTx, id: string): Promise<void> {
  await sql`update renders set host_ready = true where id = ${id} and status in ('rendering', 'uploading')`.execute(tx)
}

/** Asks the host soon: it reported that it is nearly done. */
export async function pollSoon(tx: TenantTx, id: string, at: Date): Promise<void> {
  await sql`
    update renders set poll_at = least(poll_at, ${at.toISOString()}::timestamptz) where id = ${id} and status = 'transcoding'`.execute(
    tx,
  )
}
