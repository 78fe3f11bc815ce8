import type { Database } from '@tendon/db'
import { sql } from 'kysely'
import type { Quota, QuotaRun } from './organization-quotas.ts'

/** The quota in the manifest of a run, which core copied from the organization's plan. */
export async function findQuota(
  db: Pick<Database, 'tenant'>,
  { runId, organizationId }: QuotaRun,
): Promise<Partial<Quota> | undefined> {
  const context = { principalId: null, organizationId, permissions: '*' } as const
  return db.tenant(context, async (tx) => {
    const { rows } = await sql<{ pose_per_second: number | null; media_per_second: number | null }>`
      select pose_per_second, media_per_second from run_manifests where run_id = ${runId}`.execute(tx)
    const [row] = rows
    return (
      row && {
        ...(row.pose_per_second === null ? {} : { pose: row.pose_per_second }),
        ...(row.media_per_second === null ? {} : { media: row.media_per_second }),
      }
    )
  })
}
