import { asService, together } from '@tendon/db'
import type { DataClass } from '../../../platform/data-class.ts'
import { findOwnAddress } from '../../privacy/gdpr/index.ts'
import { deleteMailsOf, listTypedAddresses } from './erasure-queries.ts'

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
          const { patient_id } = erasure
          const [typed, verified] = await together([
            listTypedAddresses(own, patient_id),
            findOwnAddress(own, patient_id),
          ])
          return deleteMailsOf(
            own,
            erasure,
            [...typed, verified].filter((address) => address !== null),
          )
        }),
    },
  },
]
