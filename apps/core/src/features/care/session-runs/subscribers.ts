import { addJob } from '../../../platform/jobs.ts'
import { payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { END_WITHDRAWN_JOB } from './jobs.ts'

/** A patient who withdraws the consent to exercising at home ends the runs in progress. */
export const sessionRunSubscribers: readonly Subscriber[] = [
  {
    type: 'consent.withdrawn',
    async handle(tx, { payload }) {
      const profileId = payloadText(payload, 'patient_profile_id')
      if (payloadText(payload, 'purpose_code') !== 'telerehab' || profileId === undefined) return
      await addJob(tx, END_WITHDRAWN_JOB, { patient_profile_id: profileId }, { key: profileId })
    },
  },
]
