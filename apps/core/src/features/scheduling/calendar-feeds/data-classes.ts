import { sql } from 'kysely'
import type { DataClass } from '../../../platform/data-class.ts'

export const calendarFeedDataClasses: readonly DataClass[] = [
  {
    name: 'calendar_feeds',
    table: 'calendar_feeds',
    label: { en: 'Calendar feeds', ro: 'Fluxuri de calendar' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['created_at'] },
    erase: {
      strategy: 'delete',
      run: async (tx, { patient_profile_id }) => {
        const { rows } = await sql<{ count: number }>`
          select erase_calendar_feeds(${patient_profile_id}) as count`.execute(tx)
        return rows[0]?.count ?? 0
      },
    },
  },
]
