import { asService, together } from '@tendon/db'
import type { DataClass } from '../../../../platform/data-class.ts'
import { clearUploader, deleteOutsideRecord } from './queries.ts'

export const appointmentFileDataClasses: readonly DataClass[] = [
  {
    name: 'appointment_files',
    table: 'appointment_files',
    label: { en: 'Files of appointments', ro: 'Fișiere ale programărilor' },
    patientColumn: 'patient_profile_id',
    files: 'object_key',
    export: { rows: ['id', 'appointment_id', 'name', 'size', 'mime', 'uploaded_at', 'object_key'] },
    erase: {
      strategy: 'delete',
      because: {
        en: 'Files of past appointments are part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
        ro: 'Fișierele programărilor trecute fac parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
      },
      run: (tx, { patient_profile_id }) =>
        asService(tx, '*', async (own) => {
          const [deleted] = await together([
            deleteOutsideRecord(own, patient_profile_id),
            clearUploader(own, patient_profile_id),
          ])
          return deleted
        }),
    },
  },
]
