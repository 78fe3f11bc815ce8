import { type RawBuilder, sql } from 'kysely'
import type { DataClass, Erase, Row } from '../../../platform/data-class.ts'

/** What was only written, and never given to the patient, goes. `never`: of a plan that was not activated. */
const eraseDrafts = (table: string, never: RawBuilder<unknown>): Erase => ({
  strategy: 'delete',
  because: {
    en: 'A plan that was given to the patient is part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
    ro: 'Un plan dat pacientului face parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
  },
  run: async (tx, { patient_profile_id }) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} t where t.organization_id = (select current_app_org_id())
        and t.patient_profile_id = ${patient_profile_id} and ${never}`.execute(tx)
    return Number(numAffectedRows ?? 0)
  },
})

/** Why an exercise was given in spite of what spoke against it is the clinic's own weighing, and left out. */
export const treatmentPlanDataClasses: readonly DataClass[] = [
  {
    name: 'treatment_plans',
    table: 'treatment_plans',
    label: { en: 'Treatment plans', ro: 'Planuri de tratament' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: [
        'title',
        'description',
        'status',
        'starts_on',
        'ends_on',
        'activated_at',
        'completed_at',
        'archived_at',
        'created_at',
        'updated_at',
      ],
    },
    erase: eraseDrafts('treatment_plans', sql`t.activated_at is null`),
  },
  {
    name: 'plan_sessions',
    table: 'plan_sessions',
    label: { en: 'Sessions of treatment plans', ro: 'Ședințe din planurile de tratament' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['treatment_plan_id', 'position', 'title', 'notes', 'created_at', 'updated_at', 'removed_at'] },
    erase: eraseDrafts(
      'plan_sessions',
      sql`exists (select 1 from treatment_plans p where p.id = t.treatment_plan_id and p.activated_at is null)`,
    ),
  },
  {
    name: 'session_exercises',
    table: 'session_exercises',
    label: { en: 'Exercises of treatment plans', ro: 'Exerciții din planurile de tratament' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const { rows } = await sql<Row>`
          select e.id, e.plan_session_id, e.position, translated_name(x.name, x.translations) as exercise, e.sets, e.reps,
            e.hold_seconds, e.rest_seconds, e.side, e.notes, e.created_at, e.updated_at, e.removed_at
          from session_exercises e left join exercises x on x.id = e.exercise_id
          where e.organization_id = (select current_app_org_id()) and e.patient_profile_id = ${patient_profile_id}
            and (${last?.id ?? null}::uuid is null or e.id > ${last?.id ?? null}::uuid)
          order by e.id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: eraseDrafts(
      'session_exercises',
      sql`exists (select 1 from plan_sessions s join treatment_plans p on p.id = s.treatment_plan_id
        where s.id = t.plan_session_id and p.activated_at is null)`,
    ),
  },
]
