import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { buildWorker } from '../../../build-worker.ts'
import { createServices } from '../../../create-services.ts'
import { type Answer, type Json, type Person, startCore, type TestCore } from '../../../testing/core.ts'
import { runsOf } from '../../care/session-runs/runs.testing.ts'
import { sentBack, session } from '../../care/treatment-plans/plans.testing.ts'
import { formTools, SMOKER } from '../../records/forms/forms.testing.ts'
import { holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { CATALOGUE } from './webhook-events.ts'
import { startReceiver } from './webhooks.testing.ts'

const HOUR_MS = 3_600_000

/** Causes every event of the catalogue through the API, with a running worker, and reads what a receiver gets. */
describe('events as a receiver gets them', () => {
  let core: TestCore
  let clinic: SchedulingClinic
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let hook: string
  let stopWorker: () => Promise<void>
  let runs: ReturnType<typeof runsOf>
  let forms: ReturnType<typeof formTools>
  before(async () => {
    receiver = await startReceiver(({ path }, response) => void response.writeHead(path === '/gone' ? 410 : 204).end())
    core = await startCore({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
    const made = createServices(core.config, 'tendon_worker', core.database.url)
    const worker = await buildWorker(made, core.database.url, { logStream: { write: () => {} } })
    stopWorker = async () => {
      await worker.stop()
      await made.close()
    }
    runs = runsOf(core)
    forms = formTools(core)
    clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    hook = (await created('/v1/webhook-subscriptions', { url: `${receiver.url}/all`, events: ['*'] })).uid
  })
  after(async () => {
    await stopWorker()
    await core.close()
    await receiver.close()
  })

  async function ok(answer: Promise<Answer>): Promise<Json> {
    const { status, body, text } = await answer
    assert.ok(status >= 200 && status < 300, text)
    return body?.data
  }
  const call = (method: string, path: string, body?: object, as: Person = clinic.admin) =>
    ok(core.call(method, path, { as, headers: { 'x-organization-id': clinic.id }, ...(body ? { body } : {}) }))
  const created = (path: string, body: object, as?: Person) => call('POST', path, body, as)
  const newPatient = () =>
    created('/v1/patients', { first_name: 'Maria', last_name: 'Stan', email: `${randomUUID()}@mail.example` })
  async function person() {
    const as = await core.signIn()
    const record = await core.patient(clinic, as)
    await core.acceptAll(record)
    return { as, ...record }
  }
  let hour = 0
  /** Each appointment has its own hour. */
  const nextTime = () => {
    hour += 1
    return new Date(nextMonday(7 + (hour % 7)).getTime() + Math.floor(hour / 7) * 7 * 24 * HOUR_MS)
  }
  const book = (values: object = {}) =>
    created('/v1/appointments', {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextTime().toISOString(),
      ...values,
    })
  const hold = () => ok(core.post('/v1/public/holds', { body: holdBody(clinic, nextTime()) }))
  const become = (id: string, status: string) => call('PUT', `/v1/appointments/${id}/status`, { status })

  const isSent = () =>
    until(async () => {
      const waiting = await core.database.query(
        `select 1 from outbox_events where dispatched_at is null
         union all select 1 from webhook_deliveries where status in ('pending', 'delivering')
         union all select 1 from automation_executions where status in ('queued', 'running') limit 1`,
      )
      return waiting.length === 0
    })
  const received = (): { event: string; data: Record<string, string | null> }[] =>
    receiver.received.filter(({ path }) => path === '/all').map(({ body }) => JSON.parse(body.toString()))
  async function waitFor(...events: string[]): Promise<void> {
    await until(() => events.every((event) => received().some((one) => one.event === event)))
  }

  async function appointments(): Promise<void> {
    const { as, id: patient_id } = await person()
    const { id } = await book({ patient_id })
    await call('PATCH', `/v1/appointments/${id}`, { title: 'Knee' })
    const { id: moved } = await created(`/v1/appointments/${id}/reschedule`, { starts_at: nextTime().toISOString() })
    await become(moved, 'checked_in')
    await core.database.query(
      `update appointments set starts_at = now() - interval '2 h', ends_at = now() - interval '1 h' where id = $1`,
      [moved],
    )
    await become(moved, 'completed')
    await created(`/v1/appointments/${moved}/reviews`, { rating: 5 }, as)
    const waiting = await book({ patient_id, status: 'pending' })
    for (const status of ['confirmed', 'cancelled', 'confirmed']) await become(waiting.id, status)
    const past = await book({ patient_id, starts_at: new Date(Date.now() - 24 * HOUR_MS).toISOString() })
    await become(past.id, 'no_show')
  }

  async function bookings(): Promise<void> {
    const { as, id: patient_id } = await person()
    for (const link of [
      (id: string) => created(`/v1/appointments/${id}/link-patient`, { patient_id }),
      (id: string) => created(`/v1/me/bookings/${id}/link`, {}, as),
    ]) {
      const booker = { name: 'Maria', email: as.email }
      const { manage_url } = await ok(
        core.post('/v1/public/bookings', { body: { hold_id: (await hold()).id, booker } }),
      )
      const path = `/v1/public/bookings/${String(manage_url).split('/').at(-1)}`
      await ok(core.post(`${path}/reschedule`, { body: { hold_id: (await hold()).id } }))
      const [found] = await core.database.query<{ id: string }>(
        `select id from appointments where organization_id = $1 and booker ->> 'email' = $2 and status = 'confirmed'`,
        [clinic.id, as.email],
      )
      await link(found?.id ?? '')
      await ok(core.delete(path))
    }
  }

  async function people(): Promise<void> {
    const { id } = await newPatient()
    await call('PUT', `/v1/patients/${id}`, { first_name: 'Maria', last_name: 'Ionescu' })
    await call('DELETE', `/v1/patients/${id}`)
    await created(`/v1/patients/${id}/restore`, {})
  }

  async function formsAndDocuments(): Promise<void> {
    const { id: patient_id, ...patient } = await person()
    const template = await forms.template(clinic, [SMOKER])
    const { id } = await forms.form(clinic, { id: patient_id, ...patient }, template)
    await ok(forms.save(id, clinic.admin, { field_smoker: 'No' }))
    await ok(forms.sign(id, clinic.admin))
    await created(`/v1/forms/${id}/render`, {})
    const visit = await book({ patient_id })
    await created(`/v1/appointments/${visit.id}/documents`, {})
    const plan = await runs.given(clinic, patient_id, [await runs.exercise(null)])
    await created(`/v1/treatment-plans/${plan.id}/render`, {})
  }

  async function consents(): Promise<void> {
    const { as, id } = await person()
    const grant = { organization_id: clinic.id, purpose_code: 'telerehab', purpose_version: 1, source: 'self_toggle' }
    const [own] = await created('/v1/me/consents', { grants: [grant] }, as)
    await created(`/v1/me/consents/${own.id}/withdraw`, {}, as)
    const desk = `/v1/organizations/${clinic.id}/patients/${id}/consents`
    const [byStaff] = await created(`${desk}/grant`, { grants: [{ purpose_code: 'analytics', purpose_version: 1 }] })
    await created(`${desk}/${byStaff.id}/withdraw`, {})
    await created('/v1/me/consents', { grants: [grant] }, as)
    await created(`/v1/me/organizations/${clinic.id}/leave`, { confirm: true }, as)
  }

  async function segments(): Promise<void> {
    const { id } = await newPatient()
    const field = await forms.customField(clinic)
    const rules = [{ source: 'profile', custom_field_id: field.id, op: 'eq', value: 'A' }]
    await created('/v1/segments', { name: 'Knees', match_mode: 'all', rules })
    for (const value of ['A', 'B']) {
      await call('PUT', `/v1/patients/${id}/profile`, { [field.key]: value })
      await waitFor(value === 'A' ? 'segment.member.added' : 'segment.member.removed')
    }
  }

  async function plans(): Promise<void> {
    const patient = await person()
    const exercise = await runs.exercise(null)
    const program = await created('/v1/programs', { name: 'Knee', sessions: [session([exercise])] })
    const plan = await created('/v1/treatment-plans', { patient_id: patient.id, program_id: program.id })
    await call('PUT', `/v1/treatment-plans/${plan.id}`, sentBack({ ...plan, title: 'Knee and hip' }))
    await ok(runs.become(clinic.admin, plan.id, 'active'))
    const condition = await runs.condition(null)
    await runs.contraindicate(exercise, condition, 'contraindicated')
    await runs.suffersFrom(clinic, patient.id, condition)
    for (const status of ['completed', 'archived']) await ok(runs.become(clinic.admin, plan.id, status))
    const other = await created('/v1/programs', { name: 'Hip', sessions: [session([await runs.exercise(null)])] })
    const draft = await created('/v1/treatment-plans', { patient_id: patient.id, program_id: other.id })
    await call('DELETE', `/v1/treatment-plans/${draft.id}`)
  }

  async function exercising(): Promise<void> {
    const patient = await runs.patient(clinic)
    const run = await runs.started(patient)
    await ok(runs.pain(patient, run))
    await ok(runs.end(patient, run))
  }

  async function automation(): Promise<void> {
    const actions = [{ type: 'send_webhook', params: { subscription_uid: hook } }]
    await created('/v1/automation-rules', { name: 'Tell', trigger: { event: 'appointment.confirmed' }, actions })
    const { id: patient_id } = await person()
    await become((await book({ patient_id, status: 'pending' })).id, 'confirmed')
    await waitFor('automation.triggered')
  }

  async function webhooks(): Promise<void> {
    await created('/v1/webhook-subscriptions', { url: `${receiver.url}/gone`, events: ['patient.created'] })
    await newPatient()
    await waitFor('webhook.disabled')
    await created(`/v1/webhook-subscriptions/${hook}/test`, {})
  }

  async function endings(): Promise<void> {
    const [restricted, erased, leaving] = [await newPatient(), await newPatient(), await person()]
    await isSent()
    await created('/v1/gdpr/restrict', { patient_id: restricted.id, restricted: true, reason: 'Asked for' })
    await created('/v1/gdpr/erase', { patient_id: erased.id, reason: 'Asked for', confirm: 'ERASE' })
    await created('/v1/me/erase', { confirm: 'ERASE' }, leaving.as)
    await waitFor('patient.erased')
  }

  test('every event arrives, and no field that is declared to have a value is null', async () => {
    for (const cause of [
      appointments,
      bookings,
      people,
      formsAndDocuments,
      consents,
      segments,
      plans,
      exercising,
      automation,
      webhooks,
      endings,
    ]) {
      await cause()
    }
    await waitFor(...CATALOGUE.map(({ event }) => event))
    await isSent()
    const missing: string[] = []
    for (const { event, fields, nullable = [] } of CATALOGUE) {
      const bodies = received().filter((one) => one.event === event)
      for (const name of Object.keys(fields)) {
        const values = bodies.map(({ data }) => data[name] ?? null)
        const isMissing = nullable.includes(name)
          ? values.every((value) => value === null)
          : values.some((value) => value === null)
        if (isMissing) missing.push(`${event}.${name}`)
      }
    }
    assert.deepEqual(missing, [])
    const pairs = received().flatMap(({ data: { patient_id: id, patient_profile_id: profile } }) =>
      id && profile ? [`${id} ${profile}`] : [],
    )
    const known = await core.database.query<{ pair: string }>(
      `select id || ' ' || patient_profile_id as pair from patients where organization_id = $1`,
      [clinic.id],
    )
    const records = new Set(known.map(({ pair }) => pair))
    assert.ok(pairs.length > 40 && pairs.every((pair) => records.has(pair)))
  })
})
