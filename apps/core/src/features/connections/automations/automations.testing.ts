import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { dispatchOutbox } from '../../../platform/outbox.ts'
import { jobTools } from '../job.testing.ts'
import { startCoreAndRounds, type TestClinic } from '../webhooks/webhooks.testing.ts'
import { runExecution } from './running.ts'
import { automationSubscribers } from './subscribers.ts'

export const RULES = '/v1/automation-rules'
export const RUNS = '/v1/automation-executions'
export const NOTICE = { type: 'notify_members', params: { permission: 'webhooks.manage', text: 'Please call.' } }
export const SEVERE = { mode: 'all', rules: [{ path: 'data.severity_band', op: 'in', value: ['severe'] }] }
const OPEN = ['queued', 'running', 'paused']

export interface Run {
  id: string
  rule_id: string
  rule_version: number
  status: string
  skip_reason: string | null
  retried_from_id: string | null
  steps: { status: string; error: string | null; attempts: number }[]
}

export const rule = (actions: object[], more = {}) => ({
  name: 'After pain',
  trigger: { event: 'pain.reported' },
  actions,
  ...more,
})

/** A core API and a worker whose jobs the test runs by hand, with the worker's clock. */
export async function startAutomations() {
  const core = await startCoreAndRounds()
  const runsOf = async (clinic: TestClinic): Promise<Run[]> =>
    (await core.get(`${RUNS}?limit=200`, { as: clinic.admin })).body.data
  const dispatch = () =>
    dispatchOutbox(core.worker.db, automationSubscribers, {
      onFailure: (_event, error) => {
        throw error
      },
    })
  const run = (clinic: TestClinic, id: string) => runExecution(id, jobTools(core.worker, clinic.id))

  return {
    ...core,
    dispatch,
    run,
    runsOf,
    async created(clinic: TestClinic, actions: object[], more = {}): Promise<{ id: string }> {
      const { status, body, text } = await core.post(RULES, { as: clinic.admin, body: rule(actions, more) })
      assert.equal(status, 201, text)
      return body.data
    },
    pain: (clinic: TestClinic, severity_band = 'severe', more = {}) =>
      core.publish(clinic, 'pain.reported', { session_run_id: randomUUID(), severity_band, note: 'Canary', ...more }),
    /** Executions that rules of other events have started in the last hour, at most 500 for each rule. */
    async used(clinic: TestClinic, counts: number[], event = 'pain.reported') {
      for (const count of counts) {
        const body = rule([NOTICE], { trigger: { event: 'appointment.reviewed' } })
        const { body: added, text } = await core.post(RULES, { as: clinic.admin, body })
        assert.ok(added.data, text)
        await core.database.query(
          `insert into automation_executions (organization_id, rule_id, rule_version, event_id, event, data, status, created_at)
           select $1, $2, 1, gen_random_uuid(), $3, '{}', 'succeeded', now() - interval '30 minutes'
           from generate_series(1, $4)`,
          [clinic.id, added.data.id, event, count],
        )
      }
    },
    /** Dispatches events and runs what they start, until nothing new starts. */
    async runAll(clinic: TestClinic): Promise<Run[]> {
      await dispatch()
      for (const { id, status } of await runsOf(clinic)) {
        if (OPEN.includes(status)) await run(clinic, id)
      }
      return runsOf(clinic)
    },
    mailsOf: (clinic: TestClinic, template = 'automation_notice') =>
      core.database.query<{ to_address: string; data: Record<string, unknown> }>(
        'select to_address, data from mail_outbox where organization_id = $1 and template = $2',
        [clinic.id, template],
      ),
    async patientOf(clinic: TestClinic) {
      await core.publishNotice(clinic)
      const email = `${randomUUID()}@mail.example`
      const body = { first_name: 'Maria', last_name: 'Stan', email }
      const { body: added, text } = await core.post('/v1/patients', { as: clinic.admin, body })
      assert.ok(added.data, text)
      return { email, ...(added.data as { id: string; patient_profile_id: string }) }
    },
    /** The outcomes of executions in the audit log, and the statuses in the events about them. */
    async finished(clinic: TestClinic) {
      const audited = await core.database.query<{ outcome: string; actor_type: string }>(
        `select outcome, actor_type from audit_log where organization_id = $1 and action = 'automations.execute' order by id`,
        [clinic.id],
      )
      const published = await core.database.query<{ status: string }>(
        `select payload ->> 'status' as status from outbox_events
         where organization_id = $1 and type = 'automation.execution_finished' order by id`,
        [clinic.id],
      )
      return {
        audited: audited.map(({ outcome, actor_type }) => `${actor_type} ${outcome}`),
        published: published.map(({ status }) => status),
      }
    },
  }
}
