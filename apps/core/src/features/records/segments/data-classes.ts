import type { DataClass } from '../../../platform/data-class.ts'

export const segmentDataClasses: readonly DataClass[] = [
  {
    name: 'segment_members',
    table: 'segment_members',
    label: { en: 'Groups of the clinic', ro: 'Grupurile clinicii' },
    patientColumn: 'patient_id',
    letThrough: 'an evaluation leaves out whoever is restricted, and takes them out of every segment',
    export: {
      leftOut: {
        en: 'Working lists of the clinic, found from the data above; nothing is kept in them about you.',
        ro: 'Liste de lucru ale clinicii, obținute din datele de mai sus; în ele nu se păstrează nimic despre dumneavoastră.',
      },
    },
    erase: { strategy: 'delete' },
  },
]
