import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { dereference } from '@scalar/openapi-parser'
import { AuditLog } from '@tendon/access'
import { type Clinic, createClinic } from '@tendon/db/fixtures'
import { startSmtpServer, until } from '@tendon/testing'
import { buildWorker, type Worker } from '../build-worker.ts'
import { createServices } from '../create-services.ts'
import { PUBLISHED } from '../features/connections/webhooks/index.ts'
import { startReceiver } from '../features/connections/webhooks/webhooks.testing.ts'
import { type Answer, type Person, startCore, type TestCore } from '../testing/core.ts'
import { type Operation, operationsOf } from '../testing/operations.ts'
import { type Canaries, plantCanaries, TYPED } from './canaries.testing.ts'

interface Entry {
  id: string
  organization_id: string | null
  action: string
  key_id: string
  personal: Buffer
  wrapped_key: Buffer | null
}

/** Personal data of a clinic must not leave it by webhooks, logs, errors or the readable part of the audit log. */
describe('personal data of a clinic', () => {
  let core: TestCore
  let clinic: Clinic
  let admin: Person
  let canaries: Canaries
  let worker: Worker
  let made: ReturnType<typeof createServices>
  let operations: Operation[]
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  const workerLog: string[] = []
  const refused: string[] = []

  before(async () => {
    smtp = await startSmtpServer()
    receiver = await startReceiver()
    core = await startCore({
      env: {
        OUTBOUND_ALLOW_PRIVATE: 'true',
        MAIL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM_ADDRESS: 'mail@tendon.example',
      },
    })
    clinic = await createClinic(core.database)
    await core.database.query('delete from webhook_subscriptions')
    await core.database.query('delete from organization_integrations')
    const codes = await core.database.query<{ code: string }>('select code from permissions')
    admin = await core.memberWith(
      { id: clinic.id, roles: {} },
      codes.map(({ code }) => code),
    )
    canaries = await plantCanaries(core.database.url, clinic.id)
    const { schema } = dereference((await core.get('/v1/openapi.json')).body)
    // Streams never end.
    operations = operationsOf(schema).filter(({ path }) => !path.endsWith('/stream'))
    made = createServices(core.config, 'tendon_worker', core.database.url)
    worker = await buildWorker(made, core.database.url, {
      logStream: { write: (line) => void workerLog.push(line) },
    })
  })
  after(async () => {
    await worker.stop()
    await made.close()
    await core.close()
    await receiver.close()
    await smtp.close()
  })

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'x-organization-id': clinic.id }
    const answer = await core.call(method, path, { as: admin, headers, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 400) refused.push(answer.text)
    return answer
  }

  /** Each parameter becomes the id of a row in the table that the segment before it names. */
  async function urlOf(path: string): Promise<string> {
    const parts = path.replace(/^(\/v1\/organizations\/)\{\w+\}/, `$1${clinic.id}`).split('/')
    for (const [index, part] of parts.entries()) {
      if (!part.startsWith('{')) continue
      parts[index] = await idIn((parts[index - 1] ?? '').replaceAll('-', '_'))
    }
    return parts.join('/')
  }
  async function idIn(table: string): Promise<string> {
    const [known] = await core.database.query(
      `select 1 from information_schema.columns where table_name = $1 and table_schema = 'public'
       and column_name in ('id', 'organization_id') having count(*) = 2`,
      [table],
    )
    if (!known) return randomUUID()
    const rows = await core.database.query<{ id: string }>(
      `select id from ${table} where organization_id = $1 order by id`,
      [clinic.id],
    )
    return rows[0]?.id ?? randomUUID()
  }

  /** Valid requests, because most requests of the loop over all routes are refused. */
  async function changeAppointment(): Promise<void> {
    const text = (column: string) => canaries.typed.replace(TYPED, `appointments.${column}`)
    const booked = await call('POST', '/v1/appointments', {
      service_id: await idIn('services'),
      specialist_id: await idIn('specialists'),
      patient_id: clinic.patient,
      starts_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
      title: text('title'),
      notes: text('notes'),
      patient_note: text('patient_note'),
    })
    assert.equal(booked.status, 201, booked.text)
    const path = `/v1/appointments/${booked.body.data.id}`
    assert.equal((await call('PATCH', path, { title: 'New', notes: 'New', patient_note: 'New' })).status, 200)
    const reason = text('cancellation_reason')
    const cancelled = await call('PUT', `${path}/status`, { status: 'cancelled', reason })
    assert.equal(cancelled.status, 200, cancelled.text)
  }

  test('every free-text column of every data class has a canary', () => {
    for (const wanted of ['patients.first_name', 'patients.last_name', 'patients.email', 'humans.name', 'forms.values'])
      assert.ok(canaries.planted.includes(wanted), wanted)
    assert.ok(canaries.planted.length > 60, String(canaries.planted.length))
    assert.deepEqual(canaries.rowless, [])
  })

  test('personal data of a clinic appears in no webhook, log, error or readable audit value after calling every route', async () => {
    const subscribed = await call('POST', '/v1/webhook-subscriptions', { url: `${receiver.url}/hook`, events: ['*'] })
    assert.equal(subscribed.status, 201, subscribed.text)
    for (const event of ['pain.reported', 'patient.updated', 'form.submitted']) {
      const text = 'Dear {{patient.first_name}} {{patient.last_name}}'
      const rule = await call('POST', '/v1/automation-rules', {
        name: 'Everything',
        trigger: { event },
        actions: [
          { type: 'send_webhook', params: { subscription_uid: subscribed.body.data.uid } },
          { type: 'send_mail', params: { to: 'patient', kind: 'care', subject: 'Hello', text } },
          { type: 'notify_members', params: { permission: 'patients.view_org', text } },
        ],
      })
      assert.equal(rule.status, 201, rule.text)
    }
    const [row] = await core.database.query<{ patient: object }>(
      'select to_jsonb(p) as patient from patients p where id = $1',
      [clinic.patient],
    )
    const personal = Object.fromEntries(canaries.planted.map((name) => [name.split('.')[1], `canary-${name}-`]))
    for (const type of PUBLISHED.keys()) {
      const payload = { ...personal, ...row?.patient, patient_id: clinic.patient, patient_profile_id: clinic.profile }
      await core.database.query('insert into outbox_events (organization_id, type, payload) values ($1, $2, $3)', [
        clinic.id,
        type,
        JSON.stringify(payload),
      ])
    }
    smtp.mood = 'refuses_recipient'
    for (const { method, path } of operations) if (method === 'GET') await call(method, await urlOf(path))
    for (const { method, path, body } of operations)
      if (body !== undefined && !path.includes('gdpr'))
        await call(method, await urlOf(path), withText(body, canaries.typed))
    await changeAppointment()
    // All at the same moment: what one of them does may be work for another.
    const waiting = [
      'outbox_events where dispatched_at is null',
      `webhook_deliveries where status in ('pending', 'delivering')`,
      `automation_executions where status in ('queued', 'running') and rule_id <> '${clinic.rule}'`,
      `mail_outbox where status = 'sending'`,
    ].map((rows) => `(select 1 from ${rows} limit 1)`)
    await until(async () => (await core.database.query(waiting.join(' union all '))).length === 0)
    const events = new Set([...PUBLISHED.values()].map(({ event }) => event))
    assert.ok(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size >= PUBLISHED.size)
    const seen = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event)
    for (const event of events) assert.ok(seen.includes(event), event)
    assert.ok(seen.includes('automation.triggered'))
    assert.ok(refused.length > 100)
    const tables = ['audit_log', 'webhook_events', 'webhook_deliveries', 'webhook_attempts', 'integration_events']
    const rows = await Promise.all(
      [...tables, 'graphile_worker._private_jobs'].map(async (table) => ({
        table,
        text: (await core.database.query<{ row: string }>(`select t::text as row from ${table} t`))
          .map(({ row }) => row)
          .join('\n'),
      })),
    )
    const errors = await core.database.query<{ text: string }>(
      `select concat_ws(' ', last_error) as text from mail_outbox union all select last_error from outbox_events`,
    )
    const bodies = await core.database.query<{ text: string }>(
      `select convert_from(body, 'UTF8') as text from webhook_events`,
    )
    const places: Record<string, string> = {
      webhooks: receiver.received.map(({ headers, body }) => JSON.stringify(headers) + body.toString()).join('\n'),
      'bodies of webhooks': bodies.map(({ text }) => text).join('\n'),
      'log of the API': core.log.join('\n'),
      'log of the worker': workerLog.join('\n'),
      'stored errors': errors.map(({ text }) => text).join('\n'),
      ...Object.fromEntries(rows.map(({ table, text }) => [table, text])),
    }
    for (const [place, text] of Object.entries(places)) {
      assert.deepEqual(canaries.foundIn(text), [], `in ${place}`)
      assert.ok(!text.includes(Buffer.from('canary-').toString('hex')), `in bytes in ${place}`)
    }
    // A refusal may repeat what its caller sent, such as an unknown code; never what is stored.
    const stored = canaries.foundIn(refused.join('\n')).filter((name) => name !== TYPED)
    assert.deepEqual(stored, [], 'in refusals')
    assert.ok(workerLog.length > 0 && core.log.length > 0)
  })

  test('personal data of a clinic is in the audit log under the patient’s key only, which erasure destroys', async () => {
    const auditLog = new AuditLog(core.services.box)
    const entries = await core.database.query<Entry>(
      `select a.id, a.organization_id, a.action, a.key_id, a.personal, k.wrapped_key
       from audit_log a join audit_keys k on k.id = a.key_id where a.organization_id = $1 and k.patient_profile_id is null`,
      [clinic.id],
    )
    assert.ok(entries.length > 0)
    // Text in other rows of the clinic, and the names of its staff, may be under the clinic's key.
    const isOfPatient = (name: string) => name !== TYPED && name !== 'humans.name'
    const found = entries.flatMap((entry) =>
      canaries
        .foundIn(JSON.stringify(auditLog.read(entry, entry.wrapped_key)))
        .filter(isOfPatient)
        .map((name) => `${entry.action}: ${name}`),
    )
    assert.deepEqual([...new Set(found)], [])
  })
})

/** The example of a body, with every text in it replaced. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((one) => withText(one, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withText(one, text)]))
}
