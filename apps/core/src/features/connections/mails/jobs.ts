import type { Job } from '../../../platform/jobs.ts'
import { clearOldMails } from './queries.ts'

export const mailJobs: readonly Job[] = [
  {
    name: 'clear_old_mails',
    cron: '23 2 * * *',
    run: (_payload, { tenant, services }) => tenant((tx) => clearOldMails(tx, services.now()), { long: true }),
  },
]
