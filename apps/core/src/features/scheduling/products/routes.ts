import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  listParameters,
  Many,
  NewProduct,
  NoContent,
  One,
  Product,
  ProductChanges,
  productList,
} from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { productNotFound, skuExists } from './errors.ts'
import {
  DELETING,
  deleteProduct,
  findProduct,
  findProductForUpdate,
  insertProduct,
  listProducts,
  updateProduct,
} from './queries.ts'

const targetOf = ({ id, name }: Product) => ({ type: 'product', id, label: name })

export const productRoutes: Routes = (app) => {
  app.get(
    '/v1/products',
    {
      config: { access: permission('services.view_org'), summary: 'List products' },
      schema: { querystring: listParameters(productList), response: { 200: Many(Product) } },
    },
    async (request) => {
      const list = parseList(productList, request.query)
      const { rows, total } = await request.findPage((tx) => listProducts(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/products/:id',
    {
      config: { access: permission('services.view_org'), summary: 'Get a product', refusals: [productNotFound] },
      schema: { params: ById, response: { 200: One(Product) } },
    },
    async (request) => {
      const product = await request.find((tx) => findProduct(tx, request.params.id))
      if (!product) throw productNotFound()
      return { data: product }
    },
  )

  app.post(
    '/v1/products',
    {
      config: {
        access: permission('services.manage'),
        idempotent: true,
        summary: 'Create a product',
        refusals: [skuExists],
      },
      schema: { body: NewProduct, response: { 201: One(Product) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertProduct(tx, request.body)
        const target = targetOf(created)
        await request.audit(tx, { action: 'products.create', crud: 'C', target, changes: changesBetween({}, created) })
        await publish(tx, 'product.created', { product_id: created.id })
        return { data: created }
      }),
  )

  app.patch(
    '/v1/products/:id',
    {
      config: {
        access: permission('services.manage'),
        versioned: 'version',
        summary: 'Update a product',
        refusals: [productNotFound, skuExists],
      },
      schema: { params: ById, body: ProductChanges, response: { 200: One(Product) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findProductForUpdate(tx, request.params.id)
        if (!before) throw productNotFound()
        await request.mustMatch(tx, before)
        const after = await updateProduct(tx, before.id, request.body)
        const changes = changesBetween(before, after)
        await request.audit(tx, { action: 'products.update', crud: 'U', target: targetOf(after), changes })
        await publish(tx, 'product.updated', { product_id: after.id })
        return { data: after }
      }),
  )

  app.delete(
    '/v1/products/:id',
    {
      config: {
        access: permission('services.manage'),
        service: DELETING,
        versioned: 'header',
        summary: 'Delete a product',
        description: 'Its SKU can be used again.',
        refusals: [productNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findProductForUpdate(tx, request.params.id)
        if (!before) throw productNotFound()
        await request.mustMatch(tx, before)
        const changes = changesBetween(before, { deleted_at: await deleteProduct(tx, before.id) })
        await request.audit(tx, { action: 'products.delete', crud: 'D', target: targetOf(before), changes })
        await publish(tx, 'product.deleted', { product_id: before.id })
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/products/:id',
    params: ById,
    table: 'products',
    access: 'services.manage',
    one: 'a product',
    contract: Product,
    notFound: productNotFound,
    refusals: [skuExists],
    read: findProduct,
    record: async (request, tx, row, changes) => {
      await request.audit(tx, { action: 'products.restore', crud: 'U', target: targetOf(row), changes })
      await publish(tx, 'product.restored', { product_id: row.id })
    },
  })
}
