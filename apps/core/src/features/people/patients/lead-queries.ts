import type { Patient } from '@tendon/contracts'
import { asService, CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { findPatient, LOCKING_PATIENT } from './queries.ts'

/** What a route that sets the lead of a patient declares. */
export const SETTING_LEAD = {
  codes: [...LOCKING_PATIENT.codes, 'specialists.view_org'],
  why: `${LOCKING_PATIENT.why} Who writes plans, visits or records need not see specialists.`,
}

/** A specialist of the clinic who is not deleted. */
export async function isSpecialist(tx: TenantTx, id: string): Promise<boolean> {
  const found = await asService(tx, SETTING_LEAD.codes, (own) =>
    own
      .selectFrom('specialists')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )
  return found !== undefined
}

/** By the specialist, or by the member who is one. */
export type Leading = { specialist_id: string } | { human_id: string }

/** The record with its first lead; undefined when it has a lead, is restricted or deleted, or nobody is such a specialist. */
export async function updateFirstLead(
  tx: ServiceTx,
  patientId: string,
  leading: Leading,
): Promise<Patient | undefined> {
  const who = 'specialist_id' in leading ? sql`s.id = ${leading.specialist_id}` : sql`s.human_id = ${leading.human_id}`
  const { rows } = await sql<{ id: string }>`
    update patients p set lead_specialist_id = s.id from specialists s
    where p.organization_id = (select current_app_org_id()) and p.id = ${patientId}
      and p.lead_specialist_id is null and p.restricted_at is null and p.deleted_at is null
      and s.organization_id = (select current_app_org_id()) and ${who} and s.deleted_at is null
    returning p.id`.execute(tx)
  return rows.length === 0 ? undefined : findPatient(tx, patientId)
}
