import type { Job } from '../../../platform/jobs.ts'
import { deleteOldExecutions } from './execution-queries.ts'
import { timeOutExecutions } from './finishing.ts'
import { RUN_JOB } from './run-job.ts'
import { runExecution } from './running.ts'

export const automationJobs: readonly Job[] = [
  { name: RUN_JOB, run: ({ execution_id }, tools) => runExecution(String(execution_id), tools) },
  { name: 'time_out_automations', cron: '29 * * * *', run: (_payload, tools) => timeOutExecutions(tools) },
  {
    name: 'delete_old_automation_executions',
    cron: '47 2 * * *',
    run: (_payload, { tenant, services }) => tenant((tx) => deleteOldExecutions(tx, services.now()), { long: true }),
  },
]
