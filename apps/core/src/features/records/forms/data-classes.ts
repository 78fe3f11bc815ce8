import { valueKeyOf } from '@tendon/contracts'
import { CLINIC, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { DataClass } from '../../../platform/data-class.ts'
import { listPrivateFields } from '../custom-fields/index.ts'
import { asPrivateAs, linkedIdsOf } from './privacy-rules.ts'

const EXPORTED = [
  'id',
  'title',
  'type',
  'status',
  'fields',
  'values',
  'amends_form_id',
  'completed_at',
  'signed_at',
  'created_at',
] as const

/** The next after `lastId`. */
async function listFormsToExport(tx: TenantTx, profileId: string, lastId: unknown, limit: number) {
  return tx
    .selectFrom('forms')
    .select(EXPORTED)
    .where('organization_id', '=', CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where(sql<boolean>`(${lastId ?? null}::uuid is null or id > ${lastId ?? null}::uuid)`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export const formDataClasses: readonly DataClass[] = [
  {
    name: 'forms',
    table: 'forms',
    label: {
      en: 'Forms, without what the clinic keeps private',
      ro: 'Formulare, fără ceea ce clinica păstrează privat',
    },
    patientColumn: 'patient_profile_id',
    export: {
      // Private fields are never shown to the patient, on any route; nor those that became private later.
      rows: async (tx, { patient_profile_id }, last, limit) => {
        const forms = await listFormsToExport(tx, patient_profile_id, last?.id, limit)
        const privateFields = await listPrivateFields(
          tx,
          forms.flatMap(({ fields }) => linkedIdsOf(fields)),
        )
        return forms.map(({ fields, values, ...row }) => ({
          ...row,
          answers: asPrivateAs(privateFields, fields)
            .filter((field) => !field.private && Object.hasOwn(values, valueKeyOf(field)))
            .map((field) => ({ label: field.label, value: values[valueKeyOf(field)] })),
        }))
      },
    },
    erase: {
      strategy: 'delete',
      because: {
        en: 'Signed forms are part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
        ro: 'Formularele semnate fac parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
      },
      run: async (tx, { patient_profile_id }) => {
        const { numAffectedRows } = await sql`
          delete from forms where organization_id = (select current_app_org_id()) and patient_profile_id = ${patient_profile_id}
            and signed_at is null`.execute(tx)
        return Number(numAffectedRows ?? 0)
      },
    },
  },
]
