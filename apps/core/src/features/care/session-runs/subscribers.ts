import { addJob } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { END_WITHDRAWN_JOB } from './jobs.ts'

interface ConsentEvent {
  purpose_code?: string
  patient_profile_id?: string
}

/** A patient who withdraws the consent to exercising at home ends the runs in progress. */
export const sessionRunSubscribers: readonly Subscriber[] = [
  {
    type: 'consent.withdrawn',
    async handle(tx, { payload }) {
      const { purpose_code, patient_profile_id } = payload as ConsentEvent
      if (purpose_code !== 'telerehab' || patient_profile_id === undefined) return
      await addJob(tx, END_WITHDRAWN_JOB, { patient_profile_id }, { key: patient_profile_id })
    },
  },
]
