import { sql } from 'kysely'
import type { DataClass, Row } from '../../../../platform/data-class.ts'

export const formFileDataClasses: readonly DataClass[] = [
  {
    name: 'form_files',
    table: 'form_files',
    label: {
      en: 'Files in forms, without what the clinic keeps private',
      ro: 'Fișiere din formulare, fără ceea ce clinica păstrează privat',
    },
    patientColumn: 'patient_profile_id',
    files: 'object_key',
    export: {
      // Private fields are never shown to the patient, on any route.
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const { rows } = await sql<Row>`
          select f.id, f.form_id, f.field_key, f.name, f.size, f.mime, f.uploaded_at, f.object_key
          from form_files f join forms o on o.organization_id = f.organization_id and o.id = f.form_id
          where f.organization_id = (select current_app_org_id()) and f.patient_profile_id = ${patient_profile_id}
            and (${last?.id ?? null}::uuid is null or f.id > ${last?.id ?? null}::uuid)
            and not exists (select 1 from jsonb_array_elements(o.fields) q where (q ->> 'private')::boolean
              and f.field_key = 'field_' || coalesce(q ->> 'custom_field_id', q ->> 'key'))
          order by f.id limit ${limit}`.execute(tx)
        return rows
      },
    },
    erase: {
      strategy: 'delete',
      because: {
        en: 'Files of signed forms are part of the medical record, which the clinic must keep by law (GDPR, article 17(3)(b)).',
        ro: 'Ce aparține unui formular semnat face parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolul 17 alineatul (3) litera (b)).',
      },
      run: async (tx, { patient_profile_id }) => {
        const { numAffectedRows } = await sql`
          delete from form_files f using forms o
          where f.organization_id = (select current_app_org_id()) and f.patient_profile_id = ${patient_profile_id}
            and o.organization_id = f.organization_id and o.id = f.form_id and o.signed_at is null`.execute(tx)
        await sql`
          update form_files f set uploaded_by_principal_id = null from patient_profiles p
          where f.organization_id = (select current_app_org_id()) and f.patient_profile_id = ${patient_profile_id}
            and p.organization_id = f.organization_id and p.id = f.patient_profile_id
            and f.uploaded_by_principal_id = p.human_id`.execute(tx)
        return Number(numAffectedRows ?? 0)
      },
    },
  },
]
