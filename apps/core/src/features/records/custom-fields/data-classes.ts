import { sql } from 'kysely'
import type { DataClass, Row } from '../../../platform/data-class.ts'

export const customFieldDataClasses: readonly DataClass[] = [
  {
    name: 'custom_field_values',
    table: 'custom_field_values',
    label: {
      en: 'Your profile, without what the clinic keeps private',
      ro: 'Profilul dumneavoastră, fără ceea ce clinica păstrează privat',
    },
    patientColumn: 'patient_profile_id',
    export: {
      // Private fields are never shown to the patient, on any route.
      rows: async (tx, { patient_id }, last, limit) => {
        const { rows } = await sql<Row>`
          select f.id, f.key, f.label, v.value, v.created_at, v.updated_at
          from custom_field_values v join custom_fields f on f.id = v.custom_field_id
          where v.organization_id = (select current_app_org_id()) and v.entity_id = ${patient_id} and not f.is_private
            and (${last?.id ?? null}::uuid is null or f.id > ${last?.id ?? null}::uuid)
          order by f.id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: { strategy: 'delete' },
  },
]
