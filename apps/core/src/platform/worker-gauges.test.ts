import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { createServices } from '../create-services.ts'
import { startCore, type TestCore } from '../testing/core.ts'
import { gaugeWork } from './worker-gauges.ts'

describe('metrics of waiting work', () => {
  let core: TestCore
  let services: ReturnType<typeof createServices>
  const registry = new Registry()
  before(async () => {
    core = await startCore()
    services = createServices(core.config, 'tendon_worker', core.database.url)
    gaugeWork(registry, services.db, () => 0)
  })
  after(async () => {
    await services.close()
    await core.close()
  })

  const read = async (name: string) => Number(/ (.*)$/.exec(await registry.getSingleMetricAsString(name))?.[1])

  test('mails count from the time they are due, unless a worker is sending them', async () => {
    const before = await read('mails_waiting')
    await core.database.query(`
      insert into mail_outbox (to_address, template, language, data, status, next_attempt_at, locked_until) values
        ('due@mail.example', 'test', 'en', '{}', 'queued', now() - interval '90 seconds', null),
        ('abandoned@mail.example', 'test', 'en', '{}', 'sending', now() - interval '1 hour', now() - interval '1 minute'),
        ('sending@mail.example', 'test', 'en', '{}', 'sending', now() - interval '2 hours', now() + interval '1 minute'),
        ('later@mail.example', 'test', 'en', '{}', 'queued', now() + interval '1 hour', null),
        ('sent@mail.example', 'test', 'en', '{}', 'sent', now() - interval '1 day', null)`)
    assert.equal((await read('mails_waiting')) - before, 2)
    const oldest = await read('mails_oldest_seconds')
    assert.ok(oldest >= 3_600 && oldest < 7_200, `${oldest}`)
  })

  test('webhook deliveries count over all clinics from the time they are due', async () => {
    assert.deepEqual([await read('webhooks_waiting'), await read('webhooks_oldest_seconds')], [0, 0])
    for (const { id } of [await core.organization(), await core.organization()])
      await core.database.query(
        `with subscription as (
          insert into webhook_subscriptions (organization_id, url, events, secret_encrypted, secret_hint)
          values ($1, 'https://hooks.example', '{patient.created}', '', '') returning id
        ), event as (
          insert into webhook_events (organization_id, event)
          select $1, 'patient.created' from generate_series(1, 3) returning id
        )
        insert into webhook_deliveries (organization_id, subscription_id, event_id, status, next_attempt_at)
        select $1, s.id, e.id, k.status, k.next_attempt_at from subscription s,
          (select id, row_number() over () as place from event) e
          join (values (1, 'retrying', now() - interval '90 seconds'), (2, 'retrying', now() + interval '1 hour'),
            (3, 'delivered', null)) k (place, status, next_attempt_at) using (place)`,
        [id],
      )
    assert.equal(await read('webhooks_waiting'), 2)
    const oldest = await read('webhooks_oldest_seconds')
    assert.ok(oldest >= 90 && oldest < 900, `${oldest}`)
  })
})
