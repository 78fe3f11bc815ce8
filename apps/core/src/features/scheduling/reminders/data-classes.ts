import type { DataClass } from '../../../platform/data-class.ts'

export const reminderDataClasses: readonly DataClass[] = [
  {
    name: 'appointment_reminders',
    table: 'appointment_reminders',
    label: { en: 'Reminders of appointments', ro: 'Reamintiri ale programărilor' },
    patientColumn: 'patient_profile_id',
    letThrough:
      'a reminder belongs to an appointment that exists; its mail is suppressed while processing is restricted',
    export: { rows: ['appointment_id', 'offset_minutes', 'starts_at', 'send_at', 'status', 'reason', 'created_at'] },
    erase: { strategy: 'delete' },
  },
]
