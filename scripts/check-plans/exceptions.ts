import type { Exceptions } from './judge.ts'

const ESTIMATE =
  'The policy and the statement both ask for the clinic, so the planner expects one row, and sorts what it could read in order: pages of the clinic itself.'
const BY_CLINIC =
  'Reads the appointments of a specialist or a service, not those of the patient: the index to choose begins with both.'

export const EXCEPTIONS: Exceptions = {
  wholeTables: [],
  growing: [
    {
      route: 'page of patients',
      statement: 'select "id", "patient_profile_id", "first_name"',
      pages: 1_000,
      reason: ESTIMATE,
    },
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
    { route: 'session runs of a patient', statement: 'select r.id, p.id, p.title', pages: 1_000, reason: ESTIMATE },
    {
      route: 'session runs of a patient',
      statement: 'select * from session_run_plans',
      pages: 1_000,
      reason: ESTIMATE,
    },
  ],
}
