import { sql } from 'kysely'
import type { DataClass } from '../../../platform/data-class.ts'

export const consentDataClasses: readonly DataClass[] = [
  {
    name: 'consents',
    table: 'consents',
    label: { en: 'What you agreed to', ro: 'Ce ați acceptat' },
    patientColumn: 'patient_profile_id',
    letThrough: 'a person can give and withdraw consent at any time',
    export: {
      rows: [
        'purpose_code',
        'purpose_version',
        'source',
        'granted_at',
        'granted_via_ip',
        'withdrawn_at',
        'withdrawal_reason',
        'ended_as',
      ],
    },
    erase: {
      strategy: 'null',
      columns: ['granted_via_ip', 'withdrawal_reason'],
      // Active consents end too; see database/migrations/0004_privacy.sql.
      run: async (tx, { request_id }) => {
        const { rows } = await sql<{ rows: number }>`select erase_patient_consents(${request_id}) as rows`.execute(tx)
        return rows[0]?.rows ?? 0
      },
      because: {
        en: 'Proof of what was agreed to and when (GDPR, articles 7(1) and 17(3)(e)).',
        ro: 'Dovada acordurilor date și a datei lor (RGPD, articolele 7 alineatul (1) și 17 alineatul (3) litera (e)).',
      },
    },
  },
]
