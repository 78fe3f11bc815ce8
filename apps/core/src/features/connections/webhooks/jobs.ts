import { systemContext } from '@tendon/access'
import { addJob, type Job, type JobTools } from '../../../platform/jobs.ts'
import { deleteOldRows, isDead, listDeadWebhooks } from './delivery-queries.ts'
import { disable } from './disabling.ts'
import { FAILING_DAYS } from './rules.ts'

const DISABLE_JOB = 'disable_dead_webhook'
const MAX_BATCH = 500

export const webhookJobs: readonly Job[] = [
  { name: 'find_dead_webhooks', cron: '11 * * * *', run: (_payload, tools) => findDead(tools) },
  {
    name: DISABLE_JOB,
    run: ({ webhook_uid }, tools) =>
      tools.tenant(async (tx) => {
        // The endpoint may have recovered since the job was added.
        if (await isDead(tx, String(webhook_uid), FAILING_DAYS))
          await disable(tools, tx, String(webhook_uid), 'failing')
      }),
  },
  {
    name: 'delete_old_webhook_rows',
    cron: '53 2 * * *',
    run: (_payload, { tenant, services }) => tenant((tx) => deleteOldRows(tx, services.now()), { long: true }),
  },
]

/** Adds a job for each dead webhook, in its organization. */
async function findDead({ tenant, services }: JobTools): Promise<void> {
  for (const { id, organization_id } of await tenant((tx) => listDeadWebhooks(tx, FAILING_DAYS, MAX_BATCH))) {
    await services.db.tenant(systemContext(organization_id), (tx) =>
      addJob(tx, DISABLE_JOB, { webhook_uid: id }, { key: id }),
    )
  }
}
