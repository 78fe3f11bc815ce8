import {
  BREAK_GLASS_MINUTES_DEFAULT,
  type BREAK_GLASS_STATUSES,
  type BreakGlassGrant,
  type List,
  type NewBreakGlassGrant,
} from '@tendon/contracts'
import { type PlatformTx, readPage, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'

interface GrantRow {
  id: string
  principal_id: string
  principal_name: string | null
  organization_id: string
  organization_name: string
  patient_id: string | null
  reason: string
  status: (typeof BREAK_GLASS_STATUSES)[number]
  created_at: string
  expires_at: string
  ended_at: string | null
}

const ALL = sql`(select g.*, coalesce(h.name, h.email::text) as principal_name, o.name as organization_name
  from break_glass_grants g join humans h on h.id = g.principal_id join organizations o on o.id = g.organization_id)`
const OF_CLINIC = sql`clinic_break_glass_grants()`

const grantsOf = (tx: PlatformTx | TenantTx, source: RawBuilder<unknown>) =>
  tx
    .selectFrom(
      sql<GrantRow>`(select g.*, case when g.ended_at is not null then 'ended' when g.expires_at <= now() then 'expired'
        else 'active' end as status from ${source} g)`.as('break_glass_grants'),
    )
    .selectAll()

const describe = (row: GrantRow): BreakGlassGrant => ({
  ...row,
  organization: { id: row.organization_id, name: row.organization_name },
  opened_by: { principal_id: row.principal_id, name: row.principal_name },
})

export async function listGrants(tx: PlatformTx, list: List) {
  const { rows, total } = await readPage(grantsOf(tx, ALL), list)
  return { rows: rows.map(describe), total }
}

export async function listClinicGrants(tx: TenantTx, list: List) {
  const { rows, total } = await readPage(grantsOf(tx, OF_CLINIC), list)
  return { rows: rows.map(describe), total }
}

export async function insertGrant(
  tx: PlatformTx,
  principalId: string,
  { organization_id, patient_id = null, reason, minutes = BREAK_GLASS_MINUTES_DEFAULT }: NewBreakGlassGrant,
): Promise<BreakGlassGrant> {
  const inserted = await tx
    .insertInto('break_glass_grants')
    .values({
      principal_id: principalId,
      organization_id,
      patient_id,
      reason: reason.trim(),
      expires_at: sql`now() + make_interval(mins => ${minutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return describe(await grantsOf(tx, ALL).where('id', '=', inserted.id).executeTakeFirstOrThrow())
}

/** Undefined when there is none with this id that is still open. */
export async function updateGrantEnded(tx: PlatformTx, id: string): Promise<BreakGlassGrant | undefined> {
  const ended = await tx
    .updateTable('break_glass_grants')
    .set({ ended_at: sql`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('id')
    .executeTakeFirst()
  return ended && describe(await grantsOf(tx, ALL).where('id', '=', ended.id).executeTakeFirstOrThrow())
}

export async function findProfileOf(tx: PlatformTx, patientId: string): Promise<string> {
  const found = await tx
    .selectFrom('patients')
    .select('patient_profile_id')
    .where('id', '=', patientId)
    .executeTakeFirstOrThrow()
  return found.patient_profile_id
}

/** The e-mail addresses (verified, otherwise invited) of the members who may read the clinic's audit log. */
export async function listWatchers(tx: PlatformTx, organizationId: string) {
  const { rows } = await sql<{ to_address: string; language_code: string }>`
    select distinct coalesce(case when h.email_verified then h.email end, m.invited_email)::text as to_address, o.language_code
    from organization_memberships m
    join organizations o on o.id = m.organization_id
    join humans h on h.id = m.principal_id
    join role_permissions p on p.role_id = m.role_id and p.permission_code = 'audit_log.view_org'
    where m.organization_id = ${organizationId} and (h.email_verified or m.invited_email is not null)`.execute(tx)
  return rows
}
