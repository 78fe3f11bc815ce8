import type { DataClass } from '../../../platform/data-class.ts'

/** Deleting an open offer frees its time (waitlist_offers_release_time). */
export const waitlistOfferDataClasses: readonly DataClass[] = [
  {
    name: 'waitlist_offers',
    table: 'waitlist_offers',
    label: { en: 'Offers of freed times', ro: 'Oferte de ore eliberate' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: [
        'appointment_id',
        'starts_at',
        'ends_at',
        'status',
        'reason',
        'offered_by',
        'mail_at',
        'expires_at',
        'answered_at',
        'created_at',
      ],
    },
    erase: { strategy: 'delete' },
  },
]
