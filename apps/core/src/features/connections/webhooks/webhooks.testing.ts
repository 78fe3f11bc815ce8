import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from '@tendon/testing'
import { createServices } from '../../../create-services.ts'
import { dispatchOutbox } from '../../../platform/outbox.ts'
import type { Services } from '../../../services.ts'
import { type Person, startCore } from '../../../testing/core.ts'
import { createDeliveryRound } from './loop.ts'
import { webhookSubscribers } from './subscribers.ts'

export interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** As the library that verifies signatures reads them. */
export const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type Answer = (received: Received, response: ServerResponse) => void | Promise<void>

/** A real HTTP server that records requests; `answer` returns the response. */
export async function startReceiver(answer: Answer = (_received, response) => void response.writeHead(204).end()) {
  const received: Received[] = []
  const receiver = { received, answer }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
      receiver.received.push(one)
      void receiver.answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

export interface TestClinic {
  id: string
  admin: Person
}

/** A core API, and the delivery loop of a worker with a clock that the test sets. */
export async function startCoreAndRounds() {
  const core = await startCore({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
  const made = createServices(core.config, 'tendon_worker', core.database.url)
  const clock = { now: new Date() }
  const worker: Services = { ...made, now: () => clock.now }
  const newRound = (more: Partial<Services> = {}) => createDeliveryRound({ ...worker, random: () => 0.5, ...more })
  const round = newRound()

  return {
    ...core,
    worker,
    clock,
    newRound,
    async subscribe(clinic: TestClinic, url: string, events = ['*'], more = {}) {
      const { body } = await core.post('/v1/webhook-subscriptions', {
        as: clinic.admin,
        body: { url, events, ...more },
      })
      return body.data as { uid: string; secret: string; is_active: boolean }
    },
    async publish(clinic: TestClinic, type = 'location.created', payload: object = {}): Promise<string> {
      const id = randomUUID()
      await core.database.query(
        'insert into outbox_events (id, organization_id, type, payload, occurred_at) values ($1, $2, $3, $4, $5)',
        [id, clinic.id, type, JSON.stringify(payload), clock.now],
      )
      return id
    },
    async fanOut() {
      const failures: unknown[] = []
      let more = true
      while (more) {
        const done = await dispatchOutbox(worker.db, webhookSubscribers, {
          onFailure: (_event, error) => failures.push(error),
        })
        more = done.more
      }
      if (failures.length > 0) throw failures[0]
    },
    /** Sends everything that is due at the clock's time. */
    async deliver() {
      while ((await round()).more) {
        // Repeat until no request is in progress.
      }
    },
    deliveriesOf: (clinic: TestClinic, uid: string, query = '') =>
      core.get(`/v1/webhook-subscriptions/${uid}/events?${query}`, { as: clinic.admin }).then(({ body }) => body.data),
    async close() {
      await round.drain()
      await made.close()
      await core.close()
    },
  }
}
