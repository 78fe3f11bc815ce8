import type { DB } from '@tendon/db'
import type { DataClass, Words } from '../../../platform/data-class.ts'
import { deleteStoredAnswers } from './stored-responses.ts'

/** Nothing but ids, which lead nowhere once the patient is erased. */
const idsOnly = (table: keyof DB, label: Words): DataClass => ({
  name: table,
  table,
  label,
  patientColumn: null,
  export: { leftOut: { en: 'Holds ids only.', ro: 'Cuprinde doar identificatori.' } },
  erase: {
    strategy: 'keep',
    because: {
      en: 'Holds ids only, which name nobody once the record is erased; deleted after 30 days.',
      ro: 'Cuprinde doar identificatori, care nu mai numesc pe nimeni după ștergerea fișei; se șterge după 30 de zile.',
    },
  },
})

/** The requests themselves, and what no feature owns: events, stored answers. */
export const gdprDataClasses: readonly DataClass[] = [
  {
    name: 'privacy_requests',
    table: 'privacy_requests',
    label: { en: 'Exports and erasures', ro: 'Exporturi și ștergeri' },
    patientColumn: 'patient_id',
    letThrough: 'the person keeps their rights',
    export: { rows: ['kind', 'status', 'reason', 'created_at', 'completed_at'] },
    erase: {
      strategy: 'null',
      columns: ['reason', 'object_key'],
      because: {
        en: 'Proof that the request was carried out (GDPR, article 5(2)).',
        ro: 'Dovada că cererea a fost îndeplinită (RGPD, articolul 5 alineatul (2)).',
      },
    },
  },
  {
    name: 'idempotency_keys',
    table: 'idempotency_keys',
    label: { en: 'Answers kept for repeated requests', ro: 'Răspunsuri păstrate pentru cereri repetate' },
    patientColumn: null,
    export: {
      leftOut: {
        en: 'Copies of answers, kept for 24 hours, of the data in this export.',
        ro: 'Copii ale răspunsurilor, păstrate 24 de ore, cu datele acestui export.',
      },
    },
    erase: { strategy: 'delete', run: deleteStoredAnswers },
  },
  idsOnly('outbox_events', { en: 'Events', ro: 'Evenimente' }),
]
