import type { DataClass } from '../../../platform/data-class.ts'

export const calendarFeedDataClasses: readonly DataClass[] = [
  {
    name: 'calendar_feeds',
    table: 'calendar_feeds',
    label: { en: 'Calendar feeds', ro: 'Fluxuri de calendar' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['created_at'] },
    erase: { strategy: 'delete' },
  },
]
