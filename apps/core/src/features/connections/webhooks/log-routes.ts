import { randomUUID } from 'node:crypto'
import {
  listParameters,
  Many,
  One,
  WebhookCatalogue,
  WebhookDelivery,
  WebhookDeliveryParams,
  WebhookParams,
  WebhookRecovered,
  WebhookRecovery,
  WebhookStats,
  webhookDeliveryList,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { pageOf, parseList, permission, rateLimited, validationFailed } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { catalogue } from './catalogue.ts'
import { LEASE_SECONDS, markAttempts } from './delivery-queries.ts'
import { deliveryDiscarded, deliveryNotFound, webhookInactive, webhookNotFound } from './errors.ts'
import {
  findDelivery,
  findTestWait,
  insertTestDelivery,
  listDeliveries,
  readStats,
  recoverDeliveries,
  replayDelivery,
} from './log-queries.ts'
import { findSecrets, findSubscription, findSubscriptionForUpdate } from './queries.ts'
import { record } from './record.ts'
import { KEPT_DAYS } from './rules.ts'
import { attemptDelivery } from './sending.ts'
import { createSigningKeys } from './signatures.ts'
import { bodyOf, WEBHOOK_TEST } from './webhook-events.ts'

const view = permission('webhooks.view_org')
const manage = permission('webhooks.manage')

async function activeSubscription(tx: TenantTx, uid: string) {
  const found = await findSubscriptionForUpdate(tx, uid)
  if (!found) throw webhookNotFound()
  if (!found.is_active) throw webhookInactive()
  return found
}

export const webhookLogRoutes: Routes = (app, services) => {
  const { now } = services
  const sender = { ...services, openKeys: createSigningKeys(services.box) }

  app.get(
    '/v1/webhook-events',
    {
      config: {
        access: view,
        latency: 'simple_read',
        summary: 'List the events that webhooks can receive',
        description:
          'Contains an example of each body, and a test vector for signatures. A webhook that an automation rule caused has the header `webhook-cause`: a receiver that forwards it to an inbound webhook copies the header unchanged, so that a loop of rules ends.',
      },
      schema: { response: { 200: One(WebhookCatalogue) } },
    },
    async () => ({ data: catalogue() }),
  )

  app.get(
    '/v1/webhook-subscriptions/:uid/events',
    {
      config: {
        access: view,
        latency: 'complex_read',
        summary: 'List the deliveries of a webhook subscription',
        refusals: [webhookNotFound],
      },
      schema: {
        params: WebhookParams,
        querystring: listParameters(webhookDeliveryList),
        response: { 200: Many(WebhookDelivery) },
      },
    },
    async (request) => {
      const list = parseList(webhookDeliveryList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findSubscription(tx, request.params.uid))) throw webhookNotFound()
        return listDeliveries(tx, request.params.uid, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/webhook-subscriptions/:uid/events/:deliveryId',
    {
      config: {
        access: view,
        latency: 'simple_read',
        summary: 'Get a delivery of a webhook subscription',
        refusals: [deliveryNotFound],
      },
      schema: { params: WebhookDeliveryParams, response: { 200: One(WebhookDelivery) } },
    },
    async (request) => {
      const { uid, deliveryId } = request.params
      const found = await request.find((tx) => findDelivery(tx, uid, deliveryId))
      if (!found) throw deliveryNotFound()
      return { data: found }
    },
  )

  app.get(
    '/v1/webhook-subscriptions/:uid/stats',
    {
      config: {
        access: view,
        latency: 'complex_read',
        operationId: 'getWebhookStats',
        summary: 'Get statistics of a webhook subscription',
        description: 'Covers the deliveries of the last seven days.',
        refusals: [webhookNotFound],
      },
      schema: { params: WebhookParams, response: { 200: One(WebhookStats) } },
    },
    async (request) => {
      const stats = await request.tenant(async (tx) => {
        if (!(await findSubscription(tx, request.params.uid))) throw webhookNotFound()
        return readStats(tx, request.params.uid, now())
      })
      return { data: stats }
    },
  )

  app.post(
    '/v1/webhook-subscriptions/:uid/test',
    {
      config: {
        access: manage,
        latency: 'complex_write',
        operationId: 'testWebhook',
        summary: 'Send a webhook.test event',
        description:
          'Sends one request and returns the result. A failed test, also with 410, leaves the subscription active. Allowed ten times a minute.',
        refusals: [webhookNotFound, webhookInactive, rateLimited],
      },
      schema: { params: WebhookParams, response: { 200: One(WebhookDelivery) } },
    },
    async (request) => {
      const { uid } = request.params
      const leased = await request.tenant(async (tx) => {
        const subscription = await activeSubscription(tx, uid)
        const wait = await findTestWait(tx, uid, now())
        if (wait !== undefined) throw rateLimited({}, { 'retry-after': String(wait) })
        const { organization_id, ...secrets } = await findSecrets(tx, uid)
        const eventId = randomUUID()
        const at = now()
        const body = bodyOf(
          WEBHOOK_TEST,
          { webhook_uid: uid },
          { id: eventId, organization_id, occurred_at: at.toISOString() },
        )
        const test = { eventId, event: WEBHOOK_TEST.event, body, now: at, leaseSeconds: LEASE_SECONDS }
        const id = await insertTestDelivery(tx, uid, test)
        const overlaps = Date.parse(secrets.previous_secret_expires_at ?? '') > at.getTime()
        return {
          id,
          organization_id,
          subscription_id: uid,
          event_id: eventId,
          attempt: 1,
          retry_count: 0,
          url: subscription.url,
          body: Buffer.from(body),
          secret_encrypted: secrets.secret_encrypted,
          previous_secret_encrypted: overlaps ? secrets.previous_secret_encrypted : null,
          discard_reason: null,
          automation_rule_ids: [],
        }
      })
      const sent = await attemptDelivery(sender, leased)
      const delivered = sent.status === 'delivered'
      return request.tenant(async (tx) => {
        // A failed test is not retried and never deactivates the subscription, also after a 410: the caller sees the result.
        await markAttempts(tx, [delivered ? sent : { ...sent, status: 'failed', next_attempt_at: null }])
        const subscription = await findSubscription(tx, uid)
        const delivery = await findDelivery(tx, uid, leased.id)
        if (!subscription || !delivery) throw webhookNotFound()
        await record.tested(request, tx, subscription, { outcome: delivered ? 'success' : 'failure' })
        return { data: delivery }
      })
    },
  )

  app.post(
    '/v1/webhook-subscriptions/:uid/events/:deliveryId/replay',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        operationId: 'replayWebhookDelivery',
        summary: 'Send a delivery again',
        description: 'Sends the same bytes with the same `id`, and retries as for a new event.',
        refusals: [webhookNotFound, deliveryNotFound, webhookInactive, deliveryDiscarded],
      },
      schema: { params: WebhookDeliveryParams, response: { 202: One(WebhookDelivery) } },
    },
    async (request, reply) => {
      const { uid, deliveryId } = request.params
      const data = await request.tenant(async (tx) => {
        const subscription = await activeSubscription(tx, uid)
        const before = await findDelivery(tx, uid, deliveryId)
        if (!before) throw deliveryNotFound()
        if (before.discard_reason !== null && before.discard_reason !== 'subscription_inactive')
          throw deliveryDiscarded()
        await replayDelivery(tx, deliveryId, now())
        await record.replayed(request, tx, subscription)
        return { ...before, ...(await findDelivery(tx, uid, deliveryId)) }
      })
      return reply.code(202).send({ data })
    },
  )

  app.post(
    '/v1/webhook-subscriptions/:uid/recover',
    {
      config: {
        access: manage,
        latency: 'complex_write',
        operationId: 'recoverWebhook',
        summary: 'Send missed events of a period again',
        description: `Sends failed deliveries, and events that occurred while the subscription was inactive. Events from before its creation are not sent; \`left_out\` counts them. Events are kept for ${KEPT_DAYS} days.`,
        refusals: [webhookNotFound, webhookInactive],
      },
      schema: { params: WebhookParams, body: WebhookRecovery, response: { 202: One(WebhookRecovered) } },
    },
    async (request, reply) => {
      const { since, until = now().toISOString() } = request.body
      if (Date.parse(until) < Date.parse(since))
        throw validationFailed({ fields: { until: 'must not be before since' } })
      const data = await request.tenant(async (tx) => {
        const subscription = await activeSubscription(tx, request.params.uid)
        const recovered = await recoverDeliveries(tx, subscription.uid, { since, until, now: now() })
        await record.recovered(request, tx, subscription)
        return recovered
      })
      return reply.code(202).send({ data })
    },
  )
}
