import type { DataClass } from '../../../platform/data-class.ts'
import { createNationalIds } from './national-id.ts'

export const patientDataClasses: readonly DataClass[] = [
  {
    name: 'patient_profiles',
    table: 'patient_profiles',
    label: { en: 'Profile and identification number', ro: 'Profilul și codul numeric personal' },
    patientColumn: { column: 'id', holds: 'patient_profile_id' },
    export: {
      rows: ['national_id_encrypted', 'invited_email', 'invited_at', 'claimed_at', 'created_at', 'updated_at'],
      show: ({ national_id_encrypted, ...row }, { services, organizationId }) => {
        const sealed = national_id_encrypted instanceof Buffer ? national_id_encrypted : null
        return { ...row, national_id: createNationalIds(services).open(sealed, organizationId, String(row.id)) }
      },
      fileOnly: 'national_id',
    },
    erase: {
      strategy: 'null',
      columns: ['human_id', 'claimed_at', 'invited_email', 'invited_at', 'national_id_encrypted', 'national_id_index'],
    },
  },
  {
    name: 'patients',
    table: 'patients',
    label: { en: 'Patient record', ro: 'Fișa pacientului' },
    patientColumn: { column: 'id', holds: 'patient_id' },
    export: {
      rows: [
        'first_name',
        'last_name',
        'email',
        'phone',
        'birth_date',
        'sex',
        'language_code',
        'address',
        'notes',
        'lead_specialist_id',
        'created_at',
        'updated_at',
        'restricted_at',
        'deleted_at',
        'merged_into_id',
      ],
    },
    erase: {
      strategy: 'pseudonymise',
      values: ({ code, now }) => ({
        first_name: 'Erased',
        last_name: code,
        email: null,
        phone: null,
        birth_date: null,
        sex: null,
        language_code: null,
        address: null,
        notes: null,
        lead_specialist_id: null,
        merged_into_id: null,
        erased_at: now,
        deleted_at: now,
      }),
    },
  },
]
