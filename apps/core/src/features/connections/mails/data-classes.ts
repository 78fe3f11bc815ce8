import { sql } from 'kysely'
import type { DataClass } from '../../../platform/data-class.ts'

export const mailDataClasses: readonly DataClass[] = [
  {
    name: 'mail_outbox',
    table: 'mail_outbox',
    label: { en: 'Mail to you', ro: 'Mesaje către dumneavoastră' },
    patientColumn: 'patient_profile_id',
    letThrough: 'mails about the account still reach the person; others are suppressed when they would be sent',
    export: { rows: ['template', 'status', 'created_at', 'sent_at'] },
    erase: {
      strategy: 'delete',
      run: async (tx, { request_id }) => {
        const { rows } = await sql<{ rows: number }>`select erase_patient_mail(${request_id}) as rows`.execute(tx)
        return rows[0]?.rows ?? 0
      },
    },
  },
]
