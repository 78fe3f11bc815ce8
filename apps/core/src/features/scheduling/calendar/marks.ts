import type { CalendarVisit } from '@tendon/contracts'
import { type ServiceTx, together } from '@tendon/db'
import { KEEPS_TIME } from '../appointments/index.ts'
import { countOpenForms, listFirstVisits, type OpenForms, type PatientOfVisit } from './marks-queries.ts'
import type { VisitRow } from './queries.ts'

type Marked = Pick<VisitRow, 'id' | 'starts_at' | 'patient_id' | 'patient_profile_id'>
type Marks = Pick<CalendarVisit, 'is_first' | 'forms_open'>

/** Says for each visit whether it is the first of its patient, and how many forms are open: null without the right to see forms. */
export async function readMarks(
  tx: ServiceTx,
  visits: readonly Marked[],
  maySeeForms: boolean,
): Promise<(visit: Marked) => Marks> {
  const patients = patientsOf(visits)
  const [firstVisits, forms] = await together([
    patients.length === 0 ? [] : listFirstVisits(tx, patients, KEEPS_TIME),
    patients.length === 0 || !maySeeForms ? [] : countOpenForms(tx, patients),
  ])
  const firstOf = new Map(firstVisits.map((first) => [first.patient_id, first]))
  const formsOf = Map.groupBy(forms, ({ patient_id }) => patient_id)
  return (visit) => ({
    is_first: visit.patient_id === null ? null : !isAfter(visit, firstOf.get(visit.patient_id)),
    forms_open: maySeeForms ? countFor(visit, formsOf.get(visit.patient_id ?? '') ?? []) : null,
  })
}

function patientsOf(visits: readonly Marked[]): PatientOfVisit[] {
  const profileOf = new Map<string, string>()
  for (const { patient_id, patient_profile_id } of visits)
    if (patient_id !== null && patient_profile_id !== null) profileOf.set(patient_id, patient_profile_id)
  return [...profileOf].map(([patient_id, patient_profile_id]) => ({ patient_id, patient_profile_id }))
}

const isAfter = (visit: Marked, first: Pick<Marked, 'id' | 'starts_at'> | undefined): boolean => {
  if (first === undefined || first.id === visit.id) return false
  const [at, firstAt] = [Date.parse(visit.starts_at), Date.parse(first.starts_at)]
  return at > firstAt || (at === firstAt && visit.id > first.id)
}

/** A form for another visit is for that one to ask for. */
const countFor = ({ id }: Marked, forms: readonly OpenForms[]): number =>
  forms
    .filter(({ appointment_id }) => appointment_id === null || appointment_id === id)
    .reduce((sum, { count }) => sum + count, 0)
