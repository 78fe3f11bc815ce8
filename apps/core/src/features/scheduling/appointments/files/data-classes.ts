import { sql } from 'kysely'
import type { DataClass } from '../../../../platform/data-class.ts'

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
      run: async (tx, { patient_profile_id }) => {
        const { rows } = await sql<{ count: number }>`
          select erase_appointment_files(${patient_profile_id}) as count`.execute(tx)
        return rows[0]?.count ?? 0
      },
    },
  },
]
