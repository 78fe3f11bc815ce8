import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'

export const patientConditionDataClasses: readonly DataClass[] = [
  {
    name: 'patient_conditions',
    table: 'patient_conditions',
    label: { en: 'Conditions', ro: 'Afecțiuni' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const { rows } = await sql<Row>`
          select c.id, translated_name(t.name, t.translations) as condition, t.icd10_code, c.since, c.note, c.status,
            c.stage, c.cleared_for, c.cleared_at, c.created_at, c.updated_at
          from patient_conditions c join taxonomy_tags t on t.id = c.condition_id
          where c.organization_id = (select current_app_org_id()) and c.patient_profile_id = ${patient_profile_id}
            and (${last?.id ?? null}::uuid is null or c.id > ${last?.id ?? null}::uuid)
          order by c.id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: { strategy: 'delete' },
  },
]
