import type { DataClass } from '../../../platform/data-class.ts'

export const attentionDataClasses: readonly DataClass[] = [
  {
    name: 'attention_marks',
    table: 'attention_marks',
    label: { en: 'What the clinic marked as done', ro: 'Ce a marcat clinica drept rezolvat' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['key', 'state', 'until', 'marked_at'] },
    erase: { strategy: 'delete' },
  },
]
