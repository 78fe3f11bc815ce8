import { systemContext } from '@tendon/access'
import { addJob, type Job, type JobTools } from '../../../platform/jobs.ts'
import { findDomain, findDomainForUpdate, listDomainsToCheck, updateDomain } from './queries.ts'
import { recordCheck } from './record.ts'
import { problemOfRecords, RECHECK_AFTER_MS, stateAfterCheck, txtRecordOf } from './rules.ts'

const CHECK_JOB = 'check_domain'
const MAX_DOMAINS_PER_BATCH = 500
/** The next round comes within an hour. */
const CHECK_ATTEMPTS = 3

export const domainJobs: readonly Job[] = [
  { name: 'find_domains_to_check', cron: '37 * * * *', run: (_payload, tools) => findDue(tools) },
  { name: CHECK_JOB, run: ({ domain_id }, tools) => check(String(domain_id), tools) },
]

const dueBefore = ({ services }: JobTools) => new Date(services.now().getTime() - RECHECK_AFTER_MS)

/** A job for each, in its own organization: one whose name servers do not answer does not delay the others. */
async function findDue(tools: JobTools): Promise<void> {
  const due = await tools.tenant((tx) => listDomainsToCheck(tx, dueBefore(tools), MAX_DOMAINS_PER_BATCH))
  for (const { organization_id, domain_id } of due) {
    tools.signal.throwIfAborted()
    await tools.services.db.tenant(systemContext(organization_id), (tx) =>
      addJob(tx, CHECK_JOB, { domain_id }, { key: domain_id, maxAttempts: CHECK_ATTEMPTS }),
    )
  }
}

/** A DNS that does not answer changes nothing: the job fails and is repeated. */
async function check(domainId: string, tools: JobTools): Promise<void> {
  const { services, tenant } = tools
  const asked = await tenant((tx) => findDomain(tx, domainId))
  if (asked?.status !== 'verified') return
  const problem = problemOfRecords(asked, await services.dns.txtRecords(txtRecordOf(asked).name))
  await tenant(async (tx) => {
    const before = await findDomainForUpdate(tx, asked)
    if (before?.status !== 'verified' || before.last_checked_at !== asked.last_checked_at) return
    const after = await updateDomain(tx, before.id, stateAfterCheck(before, problem, services.now()))
    if (problem !== null || before.record_missing_since !== null) await recordCheck(tools, tx, before, after, problem)
  })
}
