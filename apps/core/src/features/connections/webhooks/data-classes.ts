import type { DataClass } from '../../../platform/data-class.ts'

export const webhookDataClasses: readonly DataClass[] = [
  {
    name: 'webhook_events',
    table: 'webhook_events',
    label: { en: 'Notices to other systems of the clinic', ro: 'Notificări către alte sisteme ale clinicii' },
    patientColumn: 'patient_profile_id',
    letThrough: 'an event that happened is stored; it is discarded instead of sent while processing is restricted',
    export: {
      leftOut: {
        en: 'Ids of events only, kept for 30 days. What they refer to is exported with the records themselves.',
        ro: 'Numai identificatori de evenimente, păstrați 30 de zile. Datele la care se referă sunt exportate cu înregistrările.',
      },
    },
    erase: { strategy: 'null', columns: ['body'] },
  },
]
