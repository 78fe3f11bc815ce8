import type { DataClass } from '../../../platform/data-class.ts'

export const breakGlassDataClasses: readonly DataClass[] = [
  {
    name: 'break_glass_grants',
    table: 'break_glass_grants',
    label: {
      en: 'Accesses to your record by the platform operator',
      ro: 'Deschideri ale fișei de către operatorul platformei',
    },
    patientColumn: 'patient_id',
    letThrough: 'a record of who reads',
    export: { rows: ['reason', 'created_at', 'expires_at', 'ended_at'] },
    erase: {
      strategy: 'pseudonymise',
      values: () => ({ reason: 'Erased together with the patient' }),
      because: {
        en: 'Proof of who had access (GDPR, articles 5(2) and 32).',
        ro: 'Dovada celor care au avut acces (RGPD, articolele 5 alineatul (2) și 32).',
      },
    },
  },
  {
    name: 'impersonations',
    table: 'impersonations',
    label: {
      en: 'Times when staff viewed the portal as you',
      ro: 'Momente în care personalul a văzut ce vedeți dumneavoastră',
    },
    patientColumn: 'patient_id',
    letThrough: 'a record of who reads',
    export: {
      leftOut: {
        en: 'Only hashes of short-lived keys; each use of a key is in audit_log.ndjson.',
        ro: 'Doar dovezi ale unor chei de scurtă durată; fiecare folosire se află în audit_log.ndjson.',
      },
    },
    erase: { strategy: 'delete' },
  },
]
