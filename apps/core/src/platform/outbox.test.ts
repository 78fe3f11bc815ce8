import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { publish, systemContext } from '@tendon/access'
import { Database, type TenantTx } from '@tendon/db'
import { mailTemplate } from '@tendon/mail'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { addJob } from './jobs.ts'
import { sendMail } from './mail.ts'
import { dispatchOutbox, type OutboxEvent, type Subscriber } from './outbox.ts'

const nothing = () => ({ subject: 'Event', body: [] })
const eventMail = mailTemplate<{ event: string }>({ name: 'event', kind: 'account', en: nothing, ro: nothing })

describe('outbox', () => {
  let database: TestDatabase
  let app: Database
  let worker: Database
  let clinics: [string, string]
  before(async () => {
    database = await createTestDatabase()
    app = new Database({ ...database.options, login: 'tendon_app' })
    worker = new Database({ ...database.options, login: 'tendon_worker' })
    const rows = await database.query<{ id: string }>(
      `insert into organizations (name, slug) values ('One', 'one'), ('Two', 'two') returning id`,
    )
    clinics = rows.map((row) => row.id) as typeof clinics
  })
  after(async () => {
    await Promise.all([app.close(), worker.close()])
    await database.drop()
  })
  beforeEach(() => database.query('truncate outbox_events, mail_outbox'))

  /** Publishes `count` events in one clinic's transaction, as a request would. */
  const emit = (type: string, count = 1, clinic: string | null = clinics[0]) =>
    app.tenant({ ...systemContext(clinic), permissions: '' }, async (tx) => {
      for (let n = 0; n < count; n += 1) await publish(tx, type, { n })
    })
  const failures: [string, unknown][] = []
  const dispatchWith = (db: Database, ...subscribers: Subscriber[]) =>
    dispatchOutbox(db, subscribers, { onFailure: (event, error) => failures.push([event.id, error]) })
  const dispatch = (...subscribers: Subscriber[]) => dispatchWith(worker, ...subscribers)
  const due = () => database.query('update outbox_events set next_attempt_at = now()')
  const waiting = () =>
    database.query<{ attempts: number; last_error: string | null }>(
      'select attempts, last_error from outbox_events where dispatched_at is null',
    )
  /** Leaves a row behind: what an event brings about. */
  const mailer = (type: string): Subscriber => ({
    type,
    handle: (tx, event) =>
      sendMail(tx, eventMail, {
        to_address: 'x@mail.example',
        language: 'en',
        data: { event: event.id },
      }),
  })
  const mails = () =>
    database.query<{ event: string; organization_id: string | null }>(
      `select data->>'event' as event, organization_id from mail_outbox`,
    )

  test('an event reaches the subscribers of its type and of all types, once', async () => {
    await emit('a')
    await emit('b')
    const seen: string[] = []
    const note = (name: string, type: string): Subscriber => ({
      type,
      handle: async (_tx, event) => void seen.push(`${name} ${event.type} ${JSON.stringify(event.payload)}`),
    })
    assert.deepEqual(await dispatch(note('one', 'a'), note('all', '*')), { taken: 2, more: false })
    assert.deepEqual(seen, ['one a {"n":0}', 'all a {"n":0}', 'all b {"n":0}'])
    assert.deepEqual(await dispatch(note('one', 'a')), { taken: 0, more: false })
  })

  test('an event without subscribers is marked as done', async () => {
    await emit('unheard')
    await dispatch()
    assert.deepEqual(await waiting(), [])
  })

  test('a handler acts in the organization of its event and sees no other', async () => {
    await emit('a', 1, clinics[0])
    await emit('a', 1, clinics[1])
    await emit('a', 1, null)
    const seen: unknown[] = []
    const look = async (tx: TenantTx, event: OutboxEvent) => {
      const rows = await tx.selectFrom('organizations').select('id').execute()
      seen.push([event.organization_id, rows.map((row) => row.id)])
    }
    await dispatch({ type: 'a', handle: look }, mailer('a'))
    assert.deepEqual(seen, [
      [clinics[0], [clinics[0]]],
      [clinics[1], [clinics[1]]],
      [null, []],
    ])
    assert.deepEqual(
      (await mails()).map((mail) => mail.organization_id),
      [...clinics, null],
    )
  })

  test('more events than fit in a batch are delivered in several', async () => {
    await emit('a', 150)
    assert.deepEqual(await dispatch(mailer('a')), { taken: 100, more: true })
    assert.deepEqual(await dispatch(mailer('a')), { taken: 50, more: false })
  })

  test('workers side by side never deliver the same event twice', async (t) => {
    await emit('a', 600)
    const workers = Array.from({ length: 6 }, () => new Database({ ...database.options, login: 'tendon_worker' }))
    t.after(() => Promise.all(workers.map((one) => one.close())))
    const pump = async (one: Database) => {
      while ((await dispatchWith(one, mailer('a'))).taken > 0);
    }
    await Promise.all(workers.map(pump))
    const events = (await mails()).map((mail) => mail.event)
    assert.equal(events.length, 600)
    assert.equal(new Set(events).size, 600)
  })

  test('a failing handler leaves nothing behind, blocks nothing, and is retried later', async () => {
    await emit('good')
    await emit('bad')
    await emit('worse')
    await emit('good')
    const refuse: Subscriber = {
      type: 'bad',
      handle: () => Promise.reject(new TypeError('the name of a patient')),
    }
    const poison: Subscriber = {
      type: 'worse',
      handle: async (tx) => void (await sql`select 1 / 0`.execute(tx)),
    }
    await dispatch(mailer('*'), refuse, poison)
    assert.equal((await mails()).length, 2)
    assert.deepEqual(
      (await waiting()).map((event) => [event.attempts, event.last_error]),
      [
        [1, 'TypeError'],
        [1, 'error 22012'],
      ],
    )
    assert.equal(failures.length, 2)
    assert.deepEqual(await dispatch(mailer('*')), { taken: 0, more: false })
    await due()
    assert.deepEqual(await dispatch(mailer('*')), { taken: 2, more: false })
    assert.equal((await mails()).length, 4)
    assert.deepEqual(await waiting(), [])
  })

  test('the pause between attempts doubles, up to an hour', async () => {
    await emit('bad')
    const refuse: Subscriber = { type: 'bad', handle: () => Promise.reject(new Error('no')) }
    for (const [attempts, seconds] of [
      [0, 2],
      [1, 4],
      [2, 8],
      [9, 1024],
      [200, 3600],
    ]) {
      const [begun] = await database.query<{ at: string }>(
        'update outbox_events set attempts = $1, next_attempt_at = now() returning clock_timestamp()::text as at',
        [attempts],
      )
      await dispatch(refuse)
      // However long the attempt itself took.
      const [row] = await database.query<{ early: boolean; late: boolean }>(
        `select next_attempt_at < $1::timestamptz + $2 * interval '1 second' as early,
           next_attempt_at > now() + $2 * interval '1 second' as late from outbox_events`,
        [begun?.at, seconds],
      )
      assert.deepEqual(row, { early: false, late: false }, `after ${attempts} attempts`)
    }
  })

  test('a worker killed between the effects and the mark leaves neither; the next one repeats both', async () => {
    await emit('a', 5)
    let handled = 0
    const die: Subscriber = {
      type: 'a',
      handle: async (tx) => {
        handled += 1
        if (handled === 5) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      },
    }
    await assert.rejects(dispatch(mailer('a'), die))
    assert.deepEqual(await mails(), [])
    assert.equal((await waiting()).length, 5)
    await dispatch(mailer('a'), die)
    assert.equal((await mails()).length, 5)
    assert.equal(handled, 10)
  })

  test('a job that a handler adds belongs to the organization of the event', async () => {
    await emit('a', 1, clinics[1])
    await dispatch({ type: 'a', handle: (tx) => addJob(tx, 'from_event', { n: 1 }) })
    const [job] = await database.query<{ payload: unknown }>(
      `select j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'from_event'`,
    )
    assert.deepEqual(job?.payload, { organization_id: clinics[1], payload: { n: 1 } })
  })
})
