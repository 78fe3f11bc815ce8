import type { DataClass } from '../../../platform/data-class.ts'

export const automationDataClasses: readonly DataClass[] = [
  {
    name: 'automation_executions',
    table: 'automation_executions',
    label: { en: 'Automations that concerned you', ro: 'Automatizări care v-au vizat' },
    patientColumn: 'patient_profile_id',
    letThrough: 'an event that happened is noted; its rule is skipped while processing is restricted',
    export: { rows: ['event', 'status', 'created_at', 'finished_at'] },
    erase: { strategy: 'null', columns: ['data', 'patient_profile_id'] },
  },
]
