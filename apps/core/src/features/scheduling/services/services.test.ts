import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

const MUST_BE_CURRENCY = 'must be a currency code of ISO 4217 such as RON or EUR'

interface Clinic {
  id: string
  slug: string
  admin: Person
}

describe('service catalogue', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const post = (clinic: { admin: Person }, path: string, body: unknown) => core.post(path, { as: clinic.admin, body })
  const created = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    assert.equal(status, 201, text)
    return body.data
  }
  const service = (clinic: { admin: Person }, values: object = {}) =>
    created(post(clinic, '/v1/services', { name: 'Evaluare inițială', duration_minutes: 50, ...values }))
  const specialist = (clinic: { admin: Person }, name: string) =>
    created(
      post(clinic, '/v1/specialists', { name, slug: `s-${randomUUID()}`, scheduling_timezone: 'Europe/Bucharest' }),
    )

  test('a new service has defaults, and a slug made from its name', async () => {
    const clinic = await core.organization()
    const data = await service(clinic)
    const { id, organization_id, created_at, updated_at, ...rest } = data
    assert.deepEqual([organization_id, created_at], [clinic.id, updated_at])
    assert.deepEqual(rest, {
      name: 'Evaluare inițială',
      slug: 'evaluare-initiala',
      description: null,
      translations: {},
      duration_minutes: 50,
      buffer_before_minutes: 0,
      buffer_after_minutes: 0,
      slot_interval_minutes: 60,
      min_notice_minutes: 120,
      max_days_ahead: 60,
      modes: ['in_person'],
      specialist_ids: [],
      location_ids: [],
      specialty_id: null,
      reminder_offsets_minutes: null,
      requires_confirmation: false,
      cancel_notice_minutes: 1440,
      reschedule_notice_minutes: 1440,
      max_per_day: null,
      is_public: true,
      status: 'active',
      color: null,
      intake_form_template_id: null,
      price_cents: null,
      currency: 'RON',
      version: 1,
      deleted_at: null,
    })
    assert.deepEqual((await core.get(`/v1/services/${id}`, { as: clinic.admin })).body.data, data)
  })

  test('a change replaces specialists and locations, and names only its own clinic’s (422)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const [ana, dan] = [await specialist(clinic, 'Ana'), await specialist(clinic, 'Dan')]
    const foreign = await specialist(other, 'Eva')
    const { id } = await service(clinic, { specialist_ids: [ana.id], price_cents: 15000 })
    const change = (body: object) => core.patch(`/v1/services/${id}`, { as: clinic.admin, body })
    const changed = await change({ specialist_ids: [dan.id], translations: { ro: { name: 'Evaluare' } } })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.data.specialist_ids, [dan.id])
    assert.equal(changed.body.data.price_cents, 15000)
    for (const body of [
      { specialist_ids: [foreign.id] },
      { specialty_id: randomUUID() },
      { intake_form_template_id: randomUUID() },
      { location_ids: [randomUUID()] },
    ]) {
      const { status, body: answer } = await change(body)
      assert.deepEqual([status, Object.keys(answer.error.fields ?? {})], [422, Object.keys(body)])
    }
  })

  test('bad values are refused, each with its reason (422)', async () => {
    const clinic = await core.organization()
    const { status, body } = await post(clinic, '/v1/services', {
      name: ' ',
      duration_minutes: 4,
      modes: ['letter'],
      currency: 'lei',
      price_cents: 1.5,
      organization_id: randomUUID(),
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).sort(), [
      'currency',
      'duration_minutes',
      'modes.0',
      'name',
      'organization_id',
      'price_cents',
    ])
  })

  test('a currency is one in circulation by ISO 4217, on every route that takes one (422)', async () => {
    const clinic = await core.organization()
    const bodies: [string, object][] = [
      ['/v1/services', { name: 'Massage', duration_minutes: 30 }],
      ['/v1/products', { sku: 'B', name: 'Band', price_cents: 1 }],
      ['/v1/service-plans', { name: 'Ten', price_cents: 1 }],
    ]
    for (const [path, body] of bodies) {
      for (const currency of ['LEI', 'ZZZ', 'ron', 'ROL', 'BGN', 'XAU', 'XTS', 'EURO', '']) {
        const { status, body: answer } = await post(clinic, path, { ...body, currency })
        assert.deepEqual([status, answer.error.fields], [422, { currency: MUST_BE_CURRENCY }], `${path} ${currency}`)
      }
      const { id } = await created(post(clinic, path, { ...body, currency: 'JPY' }))
      const change = (changes: object) => core.patch(`${path}/${id}`, { as: clinic.admin, body: changes })
      assert.deepEqual((await change({ currency: 'ABC' })).body.error.fields, { currency: MUST_BE_CURRENCY })
      await core.database.query(`update ${path.slice(4).replace('-', '_')} set currency = 'HRK' where id = $1`, [id])
      assert.equal(
        (await core.get(`${path}/${id}`, { as: clinic.admin })).body.data.currency,
        'HRK',
        'an old row is read',
      )
      const renamed = await change({ name: 'New name' })
      assert.deepEqual([renamed.status, renamed.body.data.currency], [200, 'HRK'], 'and changed otherwise')
      assert.equal((await change({ currency: 'EUR' })).body.data.currency, 'EUR')
    }
  })

  test('no route takes a currency by another rule', () => {
    let found = 0
    for (const { method, url, schema } of core.app.routes) {
      const walk = (node: unknown, name = ''): void => {
        if (typeof node !== 'object' || node === null) return
        const { format, type } = node as { format?: unknown; type?: unknown }
        if (/currency/.test(name) && [type].flat().includes('string')) {
          found += 1
          assert.equal(format, 'currency', `${String(method)} ${url} ${name}`)
        }
        for (const [key, value] of Object.entries(node)) walk(value, key)
      }
      walk(schema?.body)
    }
    assert.equal(found, 6)
  })

  test('a slug and a SKU are unique in the clinic until their row is deleted (409)', async () => {
    const clinic = await core.organization()
    const first = await service(clinic, { slug: 'massage' })
    const again = await post(clinic, '/v1/services', { name: 'Massage', slug: 'massage', duration_minutes: 30 })
    assert.deepEqual([again.status, again.body.error.code], [409, 'slug_exists'])
    assert.equal((await core.delete(`/v1/services/${first.id}`, { as: clinic.admin })).status, 204)
    assert.equal((await core.delete(`/v1/services/${first.id}`, { as: clinic.admin })).status, 404)
    await service(clinic, { slug: 'massage' })
    const band = { sku: 'BAND-1', name: 'Band', price_cents: 2500, vat_rate: 19 }
    const product = await created(post(clinic, '/v1/products', band))
    assert.equal(product.vat_rate, 19)
    const twin = await post(clinic, '/v1/products', { ...band, sku: 'band-1' })
    assert.deepEqual([twin.status, twin.body.error.code], [409, 'sku_exists'])
    assert.equal((await core.delete(`/v1/products/${product.id}`, { as: clinic.admin })).status, 204)
    await created(post(clinic, '/v1/products', band))
  })

  test('a plan contains services and products of its clinic', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const [assessment, session] = [await service(clinic), await service(clinic, { name: 'Session' })]
    const foreign = await service(other)
    const items = [
      { service_id: session.id, quantity: 9 },
      { service_id: assessment.id, quantity: 1 },
    ]
    const plan = await created(
      post(clinic, '/v1/service-plans', { name: 'Ten', price_cents: 120000, items, valid_days: 90 }),
    )
    assert.deepEqual([plan.items, plan.products, plan.status, plan.billing], [items, [], 'draft', 'one_time'])
    for (const bad of [[{ service_id: foreign.id, quantity: 1 }], [items[0], items[0]]]) {
      const refused = await core.patch(`/v1/service-plans/${plan.id}`, { as: clinic.admin, body: { items: bad } })
      assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['items']])
    }
    const band = await created(post(clinic, '/v1/products', { sku: 'B', name: 'Band', price_cents: 1 }))
    const products = `/v1/service-plans/${plan.id}/products`
    const withBand = await created(post(clinic, products, { product_id: band.id, quantity: 2 }))
    assert.deepEqual(withBand.products, [{ product_id: band.id, quantity: 2 }])
    assert.equal((await post(clinic, products, { product_id: band.id })).body.error.code, 'product_in_plan')
    assert.equal((await post(clinic, products, { product_id: randomUUID() })).status, 422)
    assert.equal((await core.delete(`${products}/${band.id}`, { as: clinic.admin })).status, 204)
    assert.equal((await core.delete(`${products}/${band.id}`, { as: clinic.admin })).status, 404)
    assert.equal((await core.delete(`/v1/service-plans/${plan.id}`, { as: clinic.admin })).status, 204)
  })

  test('visitors see public, active services with who offers them, and nothing internal', async () => {
    const clinic: Clinic = await core.organization()
    const [ana, dan] = [await specialist(clinic, 'Ana'), await specialist(clinic, 'Dan')]
    await service(clinic, { name: 'Open' })
    await service(clinic, { name: 'By Dan', specialist_ids: [dan.id] })
    await service(clinic, { name: 'Hidden', is_public: false })
    await service(clinic, { name: 'Old', status: 'archived' })
    const { status, body } = await core.get(`/v1/public/services?organization=${clinic.slug}`)
    assert.equal(status, 200)
    const seen = body.data.map((one: { name: string; specialists: { id: string }[] }) => [
      one.name,
      one.specialists.map(({ id }) => id),
    ])
    assert.deepEqual(seen, [
      ['By Dan', [dan.id]],
      ['Open', [ana.id, dan.id]],
    ])
    assert.equal('min_notice_minutes' in body.data[0], false)
    assert.equal(body.data[0].time_zone, 'Europe/Bucharest')
    assert.deepEqual((await core.get('/v1/public/services?organization=no-such-clinic')).body, { data: [] })
  })

  test('another clinic’s services, plans and products are not found (404)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await service(clinic)
    const product = await created(post(clinic, '/v1/products', { sku: 'B', name: 'Band', price_cents: 1 }))
    const plan = await created(post(clinic, '/v1/service-plans', { name: 'Ten', price_cents: 1 }))
    for (const path of [`/v1/services/${id}`, `/v1/products/${product.id}`, `/v1/service-plans/${plan.id}`]) {
      assert.equal((await core.get(path, { as: other.admin })).status, 404)
      assert.equal((await core.patch(path, { as: other.admin, body: { name: 'Mine' } })).status, 404)
      assert.equal((await core.delete(path, { as: other.admin })).status, 404)
    }
    assert.deepEqual((await core.get('/v1/services', { as: other.admin })).body.data, [])
  })
})
