import { readConfig } from '@tendon/config'
import type { TenantTx } from '@tendon/db'
import { createTestDatabase } from '@tendon/testing'
import { pino } from 'pino'
import { createServices } from '../apps/core/src/create-services.ts'
import { jobs } from '../apps/core/src/jobs.ts'
import { startJobRunner } from '../apps/core/src/platform/job-runner.ts'
import { addJob } from '../apps/core/src/platform/jobs.ts'
import { dispatchOutbox } from '../apps/core/src/platform/outbox.ts'
import { subscribers } from '../apps/core/src/subscribers.ts'
import type { BenchOptions } from './bench.ts'
import { newClinic, serverEnv } from './clinics.ts'
import { Report } from './report.ts'

const ROUNDS = 3
const SAMPLES = 40
const AIM = 3

/**
 * From an event in the outbox to the first step of its rule, compared with an event whose subscriber adds an empty job.
 * One at a time: measures latency, not throughput. The outbox is dispatched at once:
 * the wait for its next round would hide the difference.
 */
export async function benchAutomations({ issuer, dataDir }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const config = readConfig(serverEnv(database, issuer, dataDir))
  const services = createServices(config, 'tendon_worker', database.url)
  const clinic = await newClinic(database, 'automation-bench')
  const definition = {
    name: 'Bench',
    trigger: { event: 'pain.reported' },
    conditions: { mode: 'all', rules: [{ path: 'data.severity_band', op: 'eq', value: 'severe' }] },
    actions: [{ type: 'wait', params: { minutes: 60 } }],
    delay_minutes: 0,
  }
  await database.query(
    `with r as (insert into automation_rules (organization_id, name, trigger_event, conditions, actions)
       values ($1, 'Bench', 'pain.reported', $2, $3) returning id)
     insert into automation_rule_versions (organization_id, rule_id, version, definition) select $1, id, 1, $4 from r`,
    [clinic, definition.conditions, JSON.stringify(definition.actions), definition],
  )
  let ran = () => {}
  const empty = { name: 'bench_empty', run: async () => ran() }
  const addsEmpty = {
    type: 'bench.empty',
    handle: (tx: TenantTx) => addJob(tx, empty.name, {}),
  }
  const runner = await startJobRunner(services, database.url, [...jobs, empty], pino({ level: 'silent' }))
  const publish = async (type: string, payload: object) => {
    await database.query(
      `with old as (delete from automation_executions)
       insert into outbox_events (organization_id, type, payload) values ($1, $2, $3)`,
      [clinic, type, JSON.stringify(payload)],
    )
    await dispatchOutbox(services.db, [...subscribers, addsEmpty], { onFailure: () => {} })
  }
  const hasStep = async () => (await database.query('select 1 from automation_steps limit 1')).length > 0

  const milliseconds = async (start: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<number> => {
    const begun = performance.now()
    await start()
    while (!(await isDone()));
    return performance.now() - begun
  }
  const byRule = () => milliseconds(() => publish('pain.reported', { severity_band: 'severe' }), hasStep)
  const byJob = () => {
    let done = false
    ran = () => {
      done = true
    }
    // Polls as often as the other, so that both have the same overhead.
    return milliseconds(
      () => publish(addsEmpty.type, {}),
      async () => {
        await hasStep()
        return done
      },
    )
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const medianOf = async (sample: () => Promise<number>) => {
    const times = []
    for (let taken = 0; taken < SAMPLES; taken += 1) times.push(await sample())
    return median(times)
  }

  const report = new Report()
  const ratios = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [rule, job] = [await medianOf(byRule), await medianOf(byJob)]
    // The first round warms up.
    if (round === 0) continue
    report.text(`event to the first step ${rule.toFixed(1)} ms, event to an empty job ${job.toFixed(1)} ms`)
    ratios.push(rule / job)
  }
  report.below('event to first step ÷ empty job, median of three', median(ratios), AIM)
  report.print()
  await runner.stop()
  await services.close()
  await database.drop()
}
