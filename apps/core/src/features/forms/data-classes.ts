import { type FormQuestion, type FormValues, valueKeyOf } from '@tendon/contracts'
import { sql } from 'kysely'
import type { DataClass } from '../../platform/data-class.ts'

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
      rows: [
        'title',
        'type',
        'status',
        'fields',
        'values',
        'amends_form_id',
        'completed_at',
        'signed_at',
        'created_at',
      ],
      // Private fields are never shown to the patient, by any road.
      show: ({ fields, values, ...row }) => ({
        ...row,
        answers: (fields as FormQuestion[])
          .filter((field) => !field.private && Object.hasOwn(values as FormValues, valueKeyOf(field)))
          .map((field) => ({ label: field.label, value: (values as FormValues)[valueKeyOf(field)] })),
      }),
    },
    erase: {
      strategy: 'delete',
      because: {
        en: 'Signed forms are part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
        ro: 'Formularele semnate fac parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
      },
      run: async (tx, { patient_profile_id }) => {
        const { numAffectedRows } = await sql`
          delete from forms where organization_id = current_app_org_id() and patient_profile_id = ${patient_profile_id}
            and signed_at is null`.execute(tx)
        return Number(numAffectedRows ?? 0)
      },
    },
  },
]
