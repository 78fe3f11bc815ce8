import { type AuditLog, publish, SYSTEM } from '@tendon/access'
import type { RenderStatus } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { endRender } from './settle-queries.ts'

export interface Ending {
  status: Extract<RenderStatus, 'ready' | 'failed'>
  from: readonly RenderStatus[]
  error?: { code: string; message: string }
}

/** Ends a render once: false when it is in another status by now. */
export async function settleRender(
  tx: TenantTx,
  auditLog: AuditLog,
  render: { id: string; organizationId: string },
  { status, from, error }: Ending,
): Promise<boolean> {
  const exercise = await endRender(tx, render.id, status, from, error)
  if (exercise === undefined) return false
  const { id, organizationId } = render
  await auditLog.write(
    tx,
    { ...SYSTEM, organizationId },
    {
      action: `renders.${status}`,
      crud: 'U',
      target: { type: 'render', id, label: exercise },
      changes: [{ field: 'status', before: null, after: status }],
      ...(status === 'failed' ? { outcome: 'failure' as const } : {}),
    },
  )
  await publish(tx, `render.${status}`, { render_id: id, ...(error ? { error: error.code } : {}) })
  return true
}
