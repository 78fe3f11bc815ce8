import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  listParameters,
  Many,
  NewServicePlan,
  NewServicePlanProduct,
  NoContent,
  One,
  ServicePlan,
  ServicePlanChanges,
  ServicePlanProductDetails,
  ServicePlanProductParams,
  servicePlanList,
  servicePlanProductList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { addRestoreRoute } from '../../../platform/restore.ts'
import { planProductExists, planProductNotFound, servicePlanNotFound } from './errors.ts'
import {
  DELETING,
  deletePlanProduct,
  deleteServicePlan,
  findServicePlan,
  findServicePlanForUpdate,
  insertPlanProduct,
  insertServicePlan,
  listPlanProducts,
  listServicePlans,
  updateServicePlan,
} from './queries.ts'

const targetOf = ({ id, name }: ServicePlan) => ({ type: 'service_plan', id, label: name })

export const servicePlanRoutes: Routes = (app) => {
  app.get(
    '/v1/service-plans',
    {
      config: { access: permission('services.view_org'), summary: 'List service plans' },
      schema: { querystring: listParameters(servicePlanList), response: { 200: Many(ServicePlan) } },
    },
    async (request) => {
      const list = parseList(servicePlanList, request.query)
      const { rows, total } = await request.findPage((tx) => listServicePlans(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/service-plans/:id',
    {
      config: {
        access: permission('services.view_org'),
        summary: 'Get a service plan',
        refusals: [servicePlanNotFound],
      },
      schema: { params: ById, response: { 200: One(ServicePlan) } },
    },
    async (request) => {
      const plan = await request.find((tx) => findServicePlan(tx, request.params.id))
      if (!plan) throw servicePlanNotFound()
      return { data: plan }
    },
  )

  app.post(
    '/v1/service-plans',
    {
      config: {
        access: permission('services.manage'),
        idempotent: true,
        summary: 'Create a service plan',
      },
      schema: { body: NewServicePlan, response: { 201: One(ServicePlan) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const created = await insertServicePlan(tx, request.body)
        const target = targetOf(created)
        await request.audit(tx, {
          action: 'service_plans.create',
          crud: 'C',
          target,
          changes: changesBetween({}, created),
        })
        await publish(tx, 'service_plan.created', { service_plan_id: created.id })
        return { data: created }
      }),
  )

  app.patch(
    '/v1/service-plans/:id',
    {
      config: {
        access: permission('services.manage'),
        versioned: 'version',
        summary: 'Update a service plan',
        refusals: [servicePlanNotFound],
      },
      schema: { params: ById, body: ServicePlanChanges, response: { 200: One(ServicePlan) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        const before = await findServicePlanForUpdate(tx, request.params.id)
        if (!before) throw servicePlanNotFound()
        await request.mustMatch(tx, before)
        const after = await updateServicePlan(tx, before.id, request.body)
        const changes = changesBetween(before, after)
        await request.audit(tx, { action: 'service_plans.update', crud: 'U', target: targetOf(after), changes })
        await publish(tx, 'service_plan.updated', { service_plan_id: after.id })
        return { data: after }
      }),
  )

  app.delete(
    '/v1/service-plans/:id',
    {
      config: {
        access: permission('services.manage'),
        service: DELETING,
        versioned: 'header',
        summary: 'Delete a service plan',
        refusals: [servicePlanNotFound],
      },
      schema: { params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findServicePlanForUpdate(tx, request.params.id)
        if (!before) throw servicePlanNotFound()
        await request.mustMatch(tx, before)
        const changes = changesBetween(before, { deleted_at: await deleteServicePlan(tx, before.id) })
        await request.audit(tx, { action: 'service_plans.delete', crud: 'D', target: targetOf(before), changes })
        await publish(tx, 'service_plan.deleted', { service_plan_id: before.id })
      })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/service-plans/:id/products',
    {
      config: {
        access: permission('services.view_org'),
        summary: 'List the products of a service plan',
        refusals: [servicePlanNotFound],
      },
      schema: {
        params: ById,
        querystring: listParameters(servicePlanProductList),
        response: { 200: Many(ServicePlanProductDetails) },
      },
    },
    async (request) => {
      const list = parseList(servicePlanProductList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findServicePlan(tx, request.params.id))) throw servicePlanNotFound()
        return listPlanProducts(tx, request.params.id, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.post(
    '/v1/service-plans/:id/products',
    {
      config: {
        access: permission('services.manage'),
        idempotent: true,
        summary: 'Add a product to a service plan',
        refusals: [servicePlanNotFound, planProductExists],
      },
      schema: { params: ById, body: NewServicePlanProduct, response: { 201: One(ServicePlan) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        const before = await findServicePlanForUpdate(tx, request.params.id)
        if (!before) throw servicePlanNotFound()
        await insertPlanProduct(tx, before.id, { quantity: 1, ...request.body })
        return { data: await recordProducts(request, tx, before) }
      }),
  )

  app.delete(
    '/v1/service-plans/:id/products/:productId',
    {
      config: {
        access: permission('services.manage'),
        summary: 'Remove a product from a service plan',
        refusals: [servicePlanNotFound, planProductNotFound],
      },
      schema: { params: ServicePlanProductParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findServicePlanForUpdate(tx, request.params.id)
        if (!before) throw servicePlanNotFound()
        if (!(await deletePlanProduct(tx, before.id, request.params.productId))) throw planProductNotFound()
        await recordProducts(request, tx, before)
      })
      return reply.code(204).send(null)
    },
  )

  addRestoreRoute(app, {
    url: '/v1/service-plans/:id',
    params: ById,
    table: 'service_plans',
    access: 'services.manage',
    one: 'a service plan',
    contract: ServicePlan,
    notFound: servicePlanNotFound,
    read: findServicePlan,
    record: async (request, tx, row, changes) => {
      await request.audit(tx, { action: 'service_plans.restore', crud: 'U', target: targetOf(row), changes })
      await publish(tx, 'service_plan.restored', { service_plan_id: row.id })
    },
  })
}

async function recordProducts(request: FastifyRequest, tx: TenantTx, before: ServicePlan): Promise<ServicePlan> {
  const after = (await findServicePlan(tx, before.id)) ?? before
  const changes = changesBetween(before, after)
  await request.audit(tx, { action: 'service_plans.update', crud: 'U', target: targetOf(after), changes })
  await publish(tx, 'service_plan.updated', { service_plan_id: after.id })
  return after
}
