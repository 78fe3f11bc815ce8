import type { DataClass } from '../../../platform/data-class.ts'
import { deleteOutsideRecord } from './queries.ts'

export const documentDataClasses: readonly DataClass[] = [
  {
    name: 'appointment_documents',
    table: 'appointment_documents',
    label: { en: 'Documents (PDF)', ro: 'Documente (PDF)' },
    patientColumn: 'patient_profile_id',
    files: 'object_key',
    export: {
      rows: [
        'id',
        'kind',
        'appointment_id',
        'form_id',
        'treatment_plan_id',
        'language',
        'pages',
        'size',
        'verification_code',
        'created_at',
        'object_key',
      ],
    },
    erase: {
      strategy: 'delete',
      because: {
        en: 'Documents of past appointments, signed forms and given treatment plans are part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
        ro: 'Documentele programărilor trecute, ale formularelor semnate și ale planurilor de tratament date fac parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
      },
      run: (tx, { patient_profile_id }) => deleteOutsideRecord(tx, patient_profile_id),
    },
  },
]
