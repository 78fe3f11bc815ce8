import { asService } from '@tendon/db'
import type { DataClass } from '../../../platform/data-class.ts'
import { deleteMailsOf, findAddresses } from './erasure-queries.ts'
import { addressesOf } from './rules.ts'

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
      run: (tx, erasure) =>
        asService(tx, '*', async (own) => {
          const found = await findAddresses(own, erasure.patient_id)
          return deleteMailsOf(own, erasure, found ? addressesOf(found) : [])
        }),
    },
  },
]
