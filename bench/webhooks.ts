import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { readConfig } from '@tendon/config'
import { createOutbound } from '@tendon/outbound'
import { createTestDatabase, portOf } from '@tendon/testing'
import { createServices } from '../apps/core/src/create-services.ts'
import { createDeliveryRound } from '../apps/core/src/features/connections/webhooks/loop.ts'
import type { BenchOptions } from './bench.ts'
import { newClinic, serverEnv } from './clinics.ts'
import { Report } from './report.ts'

const ENDPOINTS = 20
const EVENTS = 120
const ROUNDS = 3
const CONCURRENT = 64
/** Short, so that a run is longer than three timeouts. */
const TIMEOUT_MS = 800
const BODY = JSON.stringify({ id: randomUUID(), event: 'form.signed', data: { form_id: randomUUID() } })
const DEAD = '/0'

/** Deliveries with a dead endpoint compared with all alive, and the loop compared with signed POSTs alone. */
export async function benchWebhooks({ issuer, dataDir }: BenchOptions): Promise<void> {
  const database = await createTestDatabase()
  const state = { dead: false, received: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (state.dead && request.url === DEAD) return
      if (request.url !== DEAD) state.received += 1
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${portOf(server)}`
  const config = readConfig({ ...serverEnv(database, issuer, dataDir), OUTBOUND_ALLOW_PRIVATE: 'true' })
  const made = createServices(config, 'tendon_worker', database.url)
  const outbound = createOutbound({ allowPrivate: true, timeoutMs: TIMEOUT_MS })
  const clinic = await newClinic(database, 'webhook-bench')
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint += 1) {
    const id = randomUUID()
    const place = { table: 'webhook_subscriptions', column: 'secret_encrypted', organization_id: clinic, row: id }
    const secret = made.box.seal(`whsec_${randomBytes(32).toString('base64')}`, place)
    await database.query(
      `insert into webhook_subscriptions (id, organization_id, url, events, secret_encrypted, secret_hint)
       values ($1, $2, $3, '{*}', $4, '')`,
      [id, clinic, `${origin}/${endpoint}`, secret],
    )
  }

  async function queue(): Promise<void> {
    await database.query('delete from webhook_events')
    await database.query('update webhook_subscriptions set consecutive_failures = 0')
    await database.query(
      `with e as (insert into webhook_events (organization_id, event, body)
         select $1, 'form.signed', $2 from generate_series(1, $3) returning id)
       insert into webhook_deliveries (organization_id, subscription_id, event_id, next_attempt_at)
       select $1, s.id, e.id, now() - interval '1 second' from e, webhook_subscriptions s`,
      [clinic, Buffer.from(BODY), EVENTS],
    )
  }

  /** Deliveries a second to the endpoints that are not the dead one. */
  async function byLoop(dead: boolean): Promise<number> {
    await queue()
    Object.assign(state, { dead, received: 0 })
    const round = createDeliveryRound({ ...made, outbound })
    const wanted = (ENDPOINTS - 1) * EVENTS
    const start = performance.now()
    while (state.received < wanted) await round()
    const perSecond = (wanted / (performance.now() - start)) * 1_000
    await round.drain()
    return perSecond
  }

  async function byPosts(): Promise<number> {
    Object.assign(state, { dead: false, received: 0 })
    const wanted = (ENDPOINTS - 1) * EVENTS
    const secret = randomBytes(32)
    let sent = 0
    const start = performance.now()
    await Promise.all(
      Array.from({ length: CONCURRENT }, async () => {
        while (sent < wanted) {
          sent += 1
          const signature = createHmac('sha256', secret).update(BODY).digest('hex')
          await outbound.postJson(`${origin}/1`, BODY, { headers: { 'x-webhook-signature': signature } })
        }
      }),
    )
    return (wanted / (performance.now() - start)) * 1_000
  }

  const report = new Report()
  const [dead, bare]: [number[], number[]] = [[], []]
  for (let run = 0; run <= ROUNDS; run += 1) {
    const [alive, withDead, posts] = [await byLoop(false), await byLoop(true), await byPosts()]
    // The first round warms up.
    if (run === 0) continue
    report.row('deliveries, all endpoints alive', alive)
    report.row('deliveries, one of twenty dead', withDead)
    report.row('signed POSTs alone', posts)
    dead.push(withDead / alive)
    bare.push(alive / posts)
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[1] ?? 0
  report.ratio('one of twenty dead ÷ all alive, median of three', median(dead), 0.9)
  report.ratio('delivery loop ÷ signed POSTs alone, median of three', median(bare), 0.5)
  report.print()
  server.closeAllConnections()
  server.close()
  await outbound.close()
  await made.close()
  await database.drop()
}
