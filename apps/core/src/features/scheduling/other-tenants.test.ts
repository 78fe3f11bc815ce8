import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../testing/core.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

/** A clinic with one of everything that a body can name. */
interface Everything extends SchedulingClinic {
  location: string
  patient: string
  hold: string
  appointment: string
  waiting: string
  template: string
  formTemplate: string
  specialty: string
  product: string
  plan: string
  calendar: string
}

describe('ids of another clinic in the bodies of scheduling', () => {
  let core: TestCore
  let own: Everything
  let foreign: Everything
  before(async () => {
    core = await sharedCore()
    own = await everything()
    foreign = await everything()
  })
  after(() => core.close())

  async function everything(): Promise<Everything> {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const post = async (path: string, body: object): Promise<string> =>
      (await created(core.post(path, { as: clinic.admin, body }))).id
    const at = (hour: number) => ({ starts_at: nextMonday(hour).toISOString() })
    const visit = { service_id: clinic.service.id, specialist_id: clinic.specialist.id }
    const calendars = await core.get('/v1/calendars', { as: clinic.admin })
    return {
      ...clinic,
      calendar: calendars.body.data[0].id,
      location: await post(`/v1/organizations/${clinic.id}/locations`, { name: 'Centre' }),
      patient: (await core.patient(clinic)).id,
      hold: await post('/v1/holds', { ...visit, mode: 'in_person', minutes: 60, ...at(8) }),
      appointment: await post('/v1/appointments', { ...visit, ...at(10) }),
      waiting: await post('/v1/appointments', { service_id: clinic.service.id, status: 'waitlist' }),
      template: await post('/v1/pdf-templates', {
        name: 'Letter',
        kind: 'appointment_letter',
        language: 'en',
        blocks: [{ type: 'text', text: 'Hello' }],
      }),
      formTemplate: await post('/v1/form-templates', { title: 'Intake', type: 'intake', fields: [] }),
      specialty: await post('/v1/specialties', { title: 'Knee', slug: 'knee' }),
      product: await post('/v1/products', { name: 'Band', sku: 'band', price_cents: 100 }),
      plan: await post('/v1/service-plans', {
        name: 'Five',
        items: [{ service_id: clinic.service.id, quantity: 5 }],
        price_cents: 100,
      }),
    }
  }

  /** Every row of the clinic that scheduling stores. */
  async function rowsOf({ id }: Everything): Promise<string> {
    const tables = [
      'services service_specialists service_locations service_plans service_plan_items service_plan_products products',
      'calendars calendar_services calendar_overrides closures holds time_claims appointments appointment_documents',
    ].flatMap((names) => names.split(' '))
    const rows = await Promise.all(
      tables.map((table) =>
        core.database.query<{ row: string }>(
          `select t::text as row from ${table} t where organization_id = $1 order by 1`,
          [id],
        ),
      ),
    )
    return JSON.stringify(rows)
  }

  test('each is refused with 4xx, and no row of either clinic changes', async () => {
    const visit = {
      service_id: own.service.id,
      specialist_id: own.specialist.id,
      starts_at: nextMonday(12).toISOString(),
    }
    const held = { service_id: own.service.id, mode: 'in_person', starts_at: nextMonday(12).toISOString() }
    const { appointment } = own
    const writes: [method: 'post' | 'patch' | 'put', path: string, body: object][] = [
      ['post', '/v1/appointments', { ...visit, service_id: foreign.service.id }],
      ['post', '/v1/appointments', { ...visit, specialist_id: foreign.specialist.id }],
      ['post', '/v1/appointments', { ...visit, location_id: foreign.location }],
      ['post', '/v1/appointments', { ...visit, patient_id: foreign.patient }],
      ['post', '/v1/appointments', { hold_id: foreign.hold }],
      ['post', '/v1/appointments', { hold_id: own.hold, patient_id: foreign.patient }],
      ['patch', `/v1/appointments/${appointment}`, { location_id: foreign.location }],
      ['patch', `/v1/appointments/${foreign.appointment}`, { title: 'x' }],
      ['post', `/v1/appointments/${appointment}/reschedule`, { hold_id: foreign.hold }],
      ['post', `/v1/appointments/${foreign.appointment}/reschedule`, { hold_id: own.hold }],
      ['post', `/v1/appointments/${appointment}/link-patient`, { patient_id: foreign.patient }],
      ['put', `/v1/appointments/${own.waiting}/status`, { ...statusBody, specialist_id: foreign.specialist.id }],
      ['put', `/v1/appointments/${foreign.waiting}/status`, { status: 'cancelled' }],
      ['post', `/v1/appointments/${appointment}/documents`, { pdf_template_id: foreign.template }],
      ['post', `/v1/appointments/${foreign.appointment}/documents`, {}],
      ['post', '/v1/holds', { ...held, service_id: foreign.service.id }],
      ['post', '/v1/holds', { ...held, specialist_id: foreign.specialist.id }],
      ['post', '/v1/holds', { ...held, location_id: foreign.location }],
      ['post', '/v1/calendars', { name: 'x', specialist_id: foreign.specialist.id, weekly_hours: [] }],
      ['patch', `/v1/calendars/${own.calendar}`, { location_id: foreign.location }],
      ['patch', `/v1/calendars/${own.calendar}`, { service_ids: [foreign.service.id] }],
      [
        'post',
        `/v1/calendars/${own.calendar}/overrides`,
        { date: '2030-01-01', windows: [], service_id: foreign.service.id },
      ],
      ['post', `/v1/calendars/${foreign.calendar}/overrides`, { date: '2030-01-01', windows: [] }],
      ['post', '/v1/closures', { date: '2030-01-01', name: 'x', location_id: foreign.location }],
      ['patch', `/v1/services/${own.service.id}`, { specialist_ids: [foreign.specialist.id] }],
      ['patch', `/v1/services/${own.service.id}`, { location_ids: [foreign.location] }],
      ['patch', `/v1/services/${own.service.id}`, { specialty_id: foreign.specialty }],
      ['patch', `/v1/services/${own.service.id}`, { intake_form_template_id: foreign.formTemplate }],
      ['patch', `/v1/service-plans/${own.plan}`, { items: [{ service_id: foreign.service.id, quantity: 1 }] }],
      ['post', `/v1/service-plans/${own.plan}/products`, { product_id: foreign.product, quantity: 1 }],
      ['post', `/v1/service-plans/${foreign.plan}/products`, { product_id: own.product, quantity: 1 }],
    ]
    const before = [await rowsOf(own), await rowsOf(foreign)]
    const wrong: string[] = []
    for (const [method, path, body] of writes) {
      const answer = await core[method](path, { as: own.admin, body })
      // A body that lacks something else would prove nothing.
      if (answer.status < 400 || answer.status >= 500 || answer.text.includes('is required'))
        wrong.push(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`)
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual([await rowsOf(own), await rowsOf(foreign)], before)
  })
  const statusBody = { status: 'confirmed', starts_at: nextMonday(12).toISOString() }

  test('visitors get nothing by mixing a clinic’s slug with ids of another', async () => {
    const { slug } = own
    const month = `from=${nextMonday(0).toISOString()}&to=${nextMonday(23).toISOString()}`
    const free = await core.get(
      `/v1/public/availability?organization=${slug}&service_id=${foreign.service.id}&${month}`,
    )
    assert.equal(free.body.error.code, 'service_not_found')
    for (const filter of [`specialist_id=${foreign.specialist.id}`, `location_id=${foreign.location}`]) {
      const answer = await core.get(
        `/v1/public/availability?organization=${slug}&service_id=${own.service.id}&${month}&${filter}`,
      )
      assert.deepEqual(answer.body.data, [])
    }
    const hold = (values: object) => core.post('/v1/public/holds', { body: holdBody(own, nextMonday(12), values) })
    assert.equal((await hold({ service_id: foreign.service.id })).body.error.code, 'service_not_found')
    assert.equal((await hold({ specialist_id: foreign.specialist.id })).body.error.code, 'slot_unavailable')
    assert.equal((await hold({ location_id: foreign.location })).body.error.code, 'slot_unavailable')
  })

  test('a patient cannot book or move with a hold of a clinic that is not in context', async () => {
    const person = await core.signIn()
    const record = await core.patient(own, person)
    await core.acceptAll(record)
    const headers = { 'x-organization-id': own.id }
    const booked = await core.post('/v1/me/appointments', { as: person, headers, body: { hold_id: foreign.hold } })
    assert.deepEqual([booked.status, booked.body.error.code], [404, 'hold_not_found'])
    const body = holdBody(own, nextMonday(13))
    const { id: hold_id } = await created(core.post('/v1/public/holds', { body }))
    const mine = await created(core.post('/v1/me/appointments', { as: person, headers, body: { hold_id } }))
    const moved = await core.post(`/v1/me/appointments/${mine.id}/reschedule`, {
      as: person,
      headers,
      body: { hold_id: foreign.hold },
    })
    assert.deepEqual([moved.status, moved.body.error.code], [404, 'hold_not_found'])
  })
})
