import type { Exceptions } from './judge.ts'

const ESTIMATE =
  'The policy and the statement both compare organization_id, so the planner expects one row and does not read in the order of an index. The pages belong to the clinic itself.'
const BY_CLINIC =
  'The planner reads the appointments of a specialist or a service instead of those of the patient: it expects one row of each.'

export const EXCEPTIONS: Exceptions = {
  wholeTables: [],
  growing: [
    {
      route: 'audit log of a patient',
      statement: 'select "id", "organization_id", "occurred_at"',
      pages: 400,
      reason: ESTIMATE,
    },
    {
      route: 'own appointments',
      statement: "select jsonb_build_object('id', id, 'name', name",
      pages: 1_000,
      reason: BY_CLINIC,
    },
    {
      route: 'own appointments',
      statement: 'select "id", "organization_id", "starts_at"',
      pages: 1_500,
      reason: BY_CLINIC,
    },
  ],
}
