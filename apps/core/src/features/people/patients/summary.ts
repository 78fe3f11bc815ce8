import { type Caller, holds } from '@tendon/access'
import type { Patient, PatientOverview, PatientRowSummary } from '@tendon/contracts'
import { type TenantTx, together } from '@tendon/db'
import {
  countOpenForms,
  findActivePlan,
  listActiveConditions,
  listEdgeVisits,
  listLastRuns,
  listMissingConsents,
} from './summary-queries.ts'
import { painOf, SEEING, type Seen } from './summary-rules.ts'

type Key = Pick<Patient, 'id' | 'patient_profile_id'>

const seenBy = (caller: Caller): Seen => ({
  visits: holds(caller, SEEING.visits),
  runs: holds(caller, SEEING.runs),
  plans: holds(caller, SEEING.plans),
  forms: holds(caller, SEEING.forms),
  consents: holds(caller, SEEING.consents),
})

/** What each row of a page adds: two statements, whatever the number of rows. */
export async function summariesOf(
  tx: TenantTx,
  caller: Caller,
  patients: readonly Key[],
): Promise<Map<string, PatientRowSummary>> {
  const seen = seenBy(caller)
  const [visits, runs] = await together([
    seen.visits ? listEdgeVisits(tx, patients) : [],
    seen.runs ? listLastRuns(tx, patients) : [],
  ])
  const [visitsOf, runsOf] = [Map.groupBy(visits, of), Map.groupBy(runs, of)]
  return new Map(
    patients.map(({ id }) => {
      const [own, newest] = [visitsOf.get(id) ?? [], runsOf.get(id) ?? []]
      const summary = {
        next_visit: own.find(({ is_next }) => is_next) ?? null,
        last_visit: own.find(({ is_next }) => !is_next) ?? null,
        last_run: newest[0] ?? null,
        pain: painOf(newest),
      }
      return [id, summary]
    }),
  )
}

const of = ({ patient_id }: { patient_id: string }) => patient_id

/** The state of one patient. All statements travel together. */
export async function overviewOf(tx: TenantTx, caller: Caller, patient: Key): Promise<PatientOverview> {
  const seen = seenBy(caller)
  const [rows, conditions, plan, forms, missing] = await together([
    summariesOf(tx, caller, [patient]),
    listActiveConditions(tx, patient),
    seen.plans ? findActivePlan(tx, patient, { withRuns: seen.runs }) : null,
    seen.forms ? countOpenForms(tx, patient) : undefined,
    seen.consents ? listMissingConsents(tx, patient, { withVisits: seen.visits }) : null,
  ])
  const { next_visit = null, last_visit = null, last_run = null, pain = null } = rows.get(patient.id) ?? {}
  return {
    conditions,
    next_visit,
    last_visit,
    last_run,
    pain,
    plan,
    forms_open: forms?.forms_open ?? null,
    to_sign: forms?.to_sign ?? null,
    missing_consents: missing,
  }
}
