import type { DataClass } from '../../../platform/data-class.ts'

export const integrationDataClasses: readonly DataClass[] = [
  {
    name: 'integration_messages',
    table: 'integration_messages',
    label: { en: 'Messages from other systems of the clinic', ro: 'Mesaje din alte sisteme ale clinicii' },
    patientColumn: null,
    export: {
      leftOut: {
        en: 'Messages of the clinic’s own systems, kept sealed for 30 days and not ordered by person.',
        ro: 'Mesaje ale sistemelor proprii ale clinicii, păstrate sigilat 30 de zile și neordonate pe persoane.',
      },
    },
    erase: {
      strategy: 'keep',
      because: {
        en: 'Kept sealed for 30 days and then deleted; not ordered by person.',
        ro: 'Păstrate sigilat 30 de zile și apoi șterse; neordonate pe persoane.',
      },
    },
  },
]
