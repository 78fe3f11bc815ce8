import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import { pino } from 'pino'
import { createServices } from '../../../create-services.ts'
import type { JobPayload } from '../../../platform/jobs.ts'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { domainJobs } from './jobs.ts'
import { txtRecordOf } from './rules.ts'

const DAY_MS = 86_400_000
const [findDue, check] = domainJobs

describe('checks of verified domains', () => {
  let core: TestCore
  let services: ReturnType<typeof createServices>
  const records = new Map<string, string[]>()
  let dnsFails = false
  let now = new Date()
  before(async () => {
    core = await startCore()
    services = createServices(core.config, 'tendon_worker', core.database.url)
  })
  after(async () => {
    await services.close()
    await core.close()
  })

  function run(job: (typeof domainJobs)[number] | undefined, payload: JobPayload, organizationId: string | null) {
    assert.ok(job)
    const dns = {
      txtRecords: async (name: string) => {
        if (dnsFails) throw new Error('SERVFAIL')
        return records.get(name) ?? []
      },
    }
    const used = { ...services, dns, now: () => now }
    const auditLog = new AuditLog(services.box)
    return job.run(payload, {
      services: used,
      log: pino({ level: 'silent' }),
      organizationId,
      tenant: (work, options) => used.db.tenant(systemContext(organizationId), work, options),
      audit: (tx, entry) => auditLog.write(tx, { ...SYSTEM, organizationId }, entry),
      lastAttempt: false,
      signal: new AbortController().signal,
    })
  }

  /** A verified domain, last checked two days ago. */
  async function verified() {
    now = new Date()
    const clinic = await core.organization()
    const domain = `portal.clinic-${randomUUID().slice(0, 8)}.example`
    const [row] = await core.database.query<{ id: string }>(
      `insert into organization_domains (organization_id, domain, challenge, status, verified_at, last_checked_at)
       values ($1, $2, 'c0ffee', 'verified', now() - interval '30 days', now() - interval '2 days') returning id`,
      [clinic.id, domain],
    )
    const { name, value } = txtRecordOf({ domain, challenge: 'c0ffee' })
    records.set(name, [value])
    const checkNow = () => run(check, { domain_id: row?.id }, clinic.id)
    return { clinic, domain, id: row?.id ?? '', name, value, checkNow }
  }
  const resolves = async (domain: string) =>
    (await core.get(`/v1/public/organizations/resolve?domain=${domain}`)).status === 200
  const state = async ({ clinic, id }: { clinic: TestOrganization; id: string }) => {
    const { body } = await core.get(`/v1/organizations/${clinic.id}/domains`, { as: clinic.admin })
    const found = body.data.find((row: { id: string }) => row.id === id)
    return [found.status, found.record_missing_since]
  }
  const eventsOf = async ({ clinic }: { clinic: TestOrganization }) =>
    (
      await core.database.query<{ type: string }>(
        `select type from outbox_events where organization_id = $1 and type like 'domain.%' order by id`,
        [clinic.id],
      )
    ).map(({ type }) => type)
  const mailsOf = async ({ clinic }: { clinic: TestOrganization }) =>
    (
      await core.database.query<{ template: string }>(
        `select template from mail_outbox where organization_id = $1 and template like 'domain_%' order by id`,
        [clinic.id],
      )
    ).map(({ template }) => template)

  test('checks of verified domains find those that were not checked for a day, in the organization of each', async () => {
    const due = await verified()
    const fresh = await verified()
    await core.database.query('update organization_domains set last_checked_at = now() where id = $1', [fresh.id])
    await run(findDue, {}, null)
    const jobs = await core.database.query<{ payload: { organization_id: string; payload: { domain_id: string } } }>(
      `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'check_domain'`,
    )
    const found = jobs.map(({ payload }) => [payload.organization_id, payload.payload.domain_id])
    assert.deepEqual(
      found.filter(([, id]) => id === due.id || id === fresh.id),
      [[due.clinic.id, due.id]],
    )
  })

  test('a domain with its record stays verified, without a word', async () => {
    const domain = await verified()
    await domain.checkNow()
    assert.deepEqual(await state(domain), ['verified', null])
    assert.deepEqual([await eventsOf(domain), await mailsOf(domain)], [[], []])
  })

  test('a domain that lost its record goes on resolving for seven days, and the clinic is notified once', async () => {
    const domain = await verified()
    records.delete(domain.name)
    const lostAt = now.toISOString()
    await domain.checkNow()
    now = new Date(now.getTime() + 6 * DAY_MS)
    await domain.checkNow()
    assert.deepEqual(await state(domain), ['verified', lostAt])
    assert.equal(await resolves(domain.domain), true)
    assert.deepEqual(await eventsOf(domain), ['domain.record_missing'])
    assert.deepEqual(await mailsOf(domain), ['domain_record_missing'])
  })

  test('after seven days it stops resolving, with a mail, an event and an audit entry', async () => {
    const domain = await verified()
    records.set(domain.name, ['something else'])
    await domain.checkNow()
    now = new Date(now.getTime() + 7 * DAY_MS)
    await domain.checkNow()
    await domain.checkNow()
    assert.deepEqual(await state(domain), ['failed', null])
    assert.equal(await resolves(domain.domain), false)
    assert.deepEqual(await eventsOf(domain), ['domain.record_missing', 'domain.failed'])
    assert.deepEqual(await mailsOf(domain), ['domain_record_missing', 'domain_stopped'])
    const audited = await core.database.query(
      `select actor_type, action, outcome from audit_log where organization_id = $1 and target_id = $2`,
      [domain.clinic.id, domain.id],
    )
    const entry = { actor_type: 'system', action: 'domains.verify', outcome: 'failure' }
    assert.deepEqual(audited, [entry, entry])
  })

  test('a record that comes back ends the matter', async () => {
    const domain = await verified()
    records.delete(domain.name)
    await domain.checkNow()
    records.set(domain.name, [domain.value])
    now = new Date(now.getTime() + 8 * DAY_MS)
    await domain.checkNow()
    assert.deepEqual(await state(domain), ['verified', null])
    assert.equal(await resolves(domain.domain), true)
  })

  test('a DNS that does not answer changes nothing, and the job is repeated', async (t) => {
    const domain = await verified()
    dnsFails = true
    t.after(() => {
      dnsFails = false
    })
    await assert.rejects(domain.checkNow(), /SERVFAIL/)
    assert.deepEqual(await state(domain), ['verified', null])
  })

  test('a domain that was deleted meanwhile is left alone', async () => {
    const domain = await verified()
    await core.delete(`/v1/organizations/${domain.clinic.id}/domains/${domain.id}`, { as: domain.clinic.admin })
    await domain.checkNow()
    assert.deepEqual(await mailsOf(domain), [])
  })
})
