import type { DataClass } from '../../../platform/data-class.ts'

export const segmentDataClasses: readonly DataClass[] = [
  {
    name: 'segment_members',
    table: 'segment_members',
    label: { en: 'Groups of the clinic', ro: 'Grupurile clinicii' },
    patientColumn: 'patient_id',
    letThrough: 'an evaluation leaves out restricted patients and removes them from every segment',
    export: {
      leftOut: {
        en: 'Patient lists of the clinic, computed from the data above; they store nothing else about you.',
        ro: 'Liste de lucru ale clinicii, obținute din datele de mai sus; în ele nu se păstrează nimic despre dumneavoastră.',
      },
    },
    erase: { strategy: 'delete' },
  },
]
