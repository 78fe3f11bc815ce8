import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

describe('the products of a service plan', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function create(clinic: { admin: Person }, path: string, body: object): Promise<Json> {
    const answer = await core.post(path, { as: clinic.admin, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const product = (clinic: { admin: Person }, sku: string, name: string, price_cents: number) =>
    create(clinic, '/v1/products', { sku, name, price_cents, currency: 'EUR' })
  async function planWith(clinic: { admin: Person }, products: [Json, number][]) {
    const { id } = await create(clinic, '/v1/service-plans', { name: 'Ten sessions', price_cents: 1 })
    for (const [{ id: product_id }, quantity] of products)
      await create(clinic, `/v1/service-plans/${id}/products`, { product_id, quantity })
    return `/v1/service-plans/${id}/products`
  }
  const skusOf = ({ body }: Json) => body.data.map((row: Json) => row.sku)

  test('the products of a service plan are listed with their names and prices, newest first, sorted, searched and in pages', async () => {
    const clinic = await core.organization()
    const [band, ball] = [await product(clinic, 'B-1', 'Bandă', 900), await product(clinic, 'A-2', 'Minge', 2500)]
    await product(clinic, 'C-3', 'Not in the plan', 1)
    const path = await planWith(clinic, [[band, 2], [ball, 1]]) // biome-ignore format: rows
    const list = (query = '', headers = {}) => core.get(path + query, { as: clinic.admin, headers })
    const all = await list()
    assert.equal(all.status, 200, all.text)
    assert.deepEqual(all.body.pagination, { page: 1, limit: 50, total: 2 })
    const { created_at, ...newest } = all.body.data[0]
    assert.deepEqual(newest, {
      product_id: ball.id,
      quantity: 1,
      sku: 'A-2',
      name: 'Minge',
      price_cents: 2500,
      currency: 'EUR',
      status: 'active',
    })
    assert.ok(Date.parse(created_at) > 0)
    assert.deepEqual(skusOf(await list('?sort=price_cents')), ['B-1', 'A-2'])
    assert.deepEqual(skusOf(await list('?sort=-quantity&limit=1')), ['B-1'])
    assert.deepEqual(skusOf(await list('?sort=-quantity&limit=1&page=2')), ['A-2'])
    assert.deepEqual(skusOf(await list('?q=banda')), ['B-1'])
    assert.deepEqual(Object.keys((await list('?sort=vat_rate')).body.error.fields), ['sort'])
    const csv = await list('?sort=sku', { accept: 'text/csv' })
    assert.equal(csv.text.split('\r\n')[0], 'product_id,quantity,sku,name,price_cents,currency,status,created_at')
    assert.equal(csv.headers.get('x-total-count'), '2')
  })

  test('the products of a service plan stay in the list when the product is deleted, without its details, for everybody alike', async () => {
    const clinic = await core.organization()
    const band = await product(clinic, 'B-1', 'Band', 900)
    const path = await planWith(clinic, [[band, 3]])
    assert.equal((await core.delete(`/v1/products/${band.id}`, { as: clinic.admin })).status, 204)
    for (const as of [clinic.admin, await core.memberWith(clinic, ['services.view_org'])]) {
      const { body } = await core.get(path, { as })
      const { product_id, quantity, sku, name, price_cents, currency, status } = body.data[0]
      assert.deepEqual([product_id, quantity, body.pagination.total], [band.id, 3, 1])
      assert.deepEqual([sku, name, price_cents, currency, status], [null, null, null, null, null])
    }
  })

  test('the products of a service plan need services.view_org (403), and a plan of the clinic (404)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const path = await planWith(clinic, [])
    const refused = await core.get(path, { as: await core.memberWith(clinic, ['services.manage']) })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'services.view_org'])
    assert.deepEqual((await core.get(path, { as: clinic.admin })).body.data, [])
    for (const [as, at] of [
      [other.admin, path],
      [clinic.admin, `/v1/service-plans/${randomUUID()}/products`],
    ] as const) {
      const unknown = await core.get(at, { as })
      assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'service_plan_not_found'])
    }
  })

  test('the products of a service plan of a deleted plan are shown to those who may see deleted rows, and to nobody else', async () => {
    const clinic = await core.organization()
    const path = await planWith(clinic, [[await product(clinic, 'B-1', 'Band', 900), 1]])
    await core.delete(path.replace('/products', ''), { as: clinic.admin })
    assert.deepEqual(skusOf(await core.get(path, { as: clinic.admin })), ['B-1'])
    const viewer = await core.memberWith(clinic, ['services.view_org'])
    assert.equal((await core.get(path, { as: viewer })).status, 404)
  })
})
