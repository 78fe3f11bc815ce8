import { LIMITS, type OrganizationPlan } from '@tendon/contracts'
import type { PlatformTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type Plan = OrganizationPlan['plan']

/** The plan of the organization, with how much of each limit is used. */
export async function findPlan(
  tx: TenantTx | PlatformTx,
  organizationId: string,
): Promise<OrganizationPlan | undefined> {
  const { rows } = await sql<OrganizationPlan>`
    select p.code as plan, p.name, (
      select jsonb_agg(jsonb_build_object('name', l.name, 'max', to_jsonb(p) -> l.name, 'current', coalesce(u.current, 0))
        order by l.position)
      from unnest(${LIMITS}::text[]) with ordinality as l (name, position)
      left join organization_usage u on u.organization_id = o.id and u.name = l.name) as limits
    from organizations o join plans p on p.code = o.plan
    where o.id = ${organizationId}`.execute(tx)
  return rows[0]
}

/** Locks the row, so that the audited "before" is what the update replaces. */
export async function findPlanCodeForUpdate(tx: PlatformTx, organizationId: string): Promise<Plan | undefined> {
  const found = await tx
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found?.plan
}

export async function updatePlan(tx: PlatformTx, organizationId: string, plan: Plan): Promise<void> {
  await tx.updateTable('organizations').set({ plan }).where('id', '=', organizationId).execute()
}
