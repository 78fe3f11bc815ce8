import { randomUUID } from 'node:crypto'
import {
  listParameters,
  Many,
  NewWebhookSubscription,
  NoContent,
  One,
  WebhookParams,
  WebhookSubscription,
  WebhookSubscriptionChanges,
  WebhookSubscriptionWithSecret,
  webhookSubscriptionList,
} from '@tendon/contracts'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { createOwnHostCheck } from '../../tenancy/domains/index.ts'
import { tooManyWebhooks, webhookNotFound } from './errors.ts'
import {
  countSubscriptions,
  deleteSubscription,
  discardWaiting,
  findSecrets,
  findSubscription,
  findSubscriptionForUpdate,
  insertSubscription,
  listSubscriptions,
  updateSubscription,
} from './queries.ts'
import { record, secretChanged } from './record.ts'
import { MAX_SUBSCRIPTIONS, SECRET_OVERLAP_HOURS } from './rules.ts'
import { hintOf, newSecret, openSecret, sealSecret } from './signatures.ts'
import { refuseBadTarget } from './urls.ts'

const view = permission('webhooks.view_org')
const manage = permission('webhooks.manage')

export const webhookRoutes: Routes = (app, services) => {
  const { box, now, outbound } = services
  const target = { outbound, isOwnHost: createOwnHostCheck(services) }

  app.get(
    '/v1/webhook-subscriptions',
    {
      config: { access: view, latency: 'simple_read', secretAnswer: true, summary: 'List webhook subscriptions' },
      schema: { querystring: listParameters(webhookSubscriptionList), response: { 200: Many(WebhookSubscription) } },
    },
    async (request) => {
      const list = parseList(webhookSubscriptionList, request.query)
      const { rows, total } = await request.findPage((tx) => listSubscriptions(tx, list))
      return { data: rows, pagination: pageOf(list, total) }
    },
  )

  app.get(
    '/v1/webhook-subscriptions/:uid',
    {
      config: {
        access: view,
        latency: 'simple_read',
        secretAnswer: true,
        summary: 'Get a webhook subscription',
        refusals: [webhookNotFound],
      },
      schema: { params: WebhookParams, response: { 200: One(WebhookSubscription) } },
    },
    async (request) => {
      const found = await request.find((tx) => findSubscription(tx, request.params.uid))
      if (!found) throw webhookNotFound()
      return { data: found }
    },
  )

  app.post(
    '/v1/webhook-subscriptions',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        idempotent: true,
        summary: 'Create a webhook subscription',
        description:
          'Only this response contains the signing secret. Deliveries are repeated until the URL answers 2xx, so receivers must ignore an `id` that they have already processed.',
        refusals: [tooManyWebhooks],
      },
      schema: { body: NewWebhookSubscription, response: { 201: One(WebhookSubscriptionWithSecret) } },
    },
    async (request, reply) => {
      await refuseBadTarget(target, request.caller.organization_id, request.body)
      const organization_id = request.caller.organization_id ?? ''
      return request.tenantCreate(reply, async (tx) => {
        if ((await countSubscriptions(tx)) >= MAX_SUBSCRIPTIONS) throw tooManyWebhooks()
        const id = randomUUID()
        const secret = newSecret()
        const created = await insertSubscription(tx, {
          ...request.body,
          id,
          secret_encrypted: sealSecret(box, { organization_id, uid: id }, secret),
          secret_hint: hintOf(secret),
        })
        await record.created(request, tx, created)
        return { data: { ...created, secret } }
      })
    },
  )

  app.patch(
    '/v1/webhook-subscriptions/:uid',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        versioned: 'version',
        summary: 'Update a webhook subscription',
        description:
          'Deactivation discards waiting deliveries. Events that occur while a subscription is inactive can be sent later with `recover`.',
        refusals: [webhookNotFound],
      },
      schema: {
        params: WebhookParams,
        body: WebhookSubscriptionChanges,
        response: { 200: One(WebhookSubscription) },
      },
    },
    async (request) => {
      await refuseBadTarget(target, request.caller.organization_id, request.body)
      return request.tenant(async (tx) => {
        const before = await findSubscriptionForUpdate(tx, request.params.uid)
        if (!before) throw webhookNotFound()
        await request.mustMatch(tx, { id: before.uid, version: before.version }, async () => before)
        const { is_active } = request.body
        const switched = is_active !== undefined && is_active !== before.is_active
        const after = await updateSubscription(tx, before.uid, {
          ...request.body,
          ...(switched ? { disabled_reason: is_active ? null : 'manual' } : {}),
          ...(switched && is_active ? { first_failure_at: null, last_failure_at: null, consecutive_failures: 0 } : {}),
        })
        if (switched && !is_active) await discardWaiting(tx, before.uid)
        await record.updated(request, tx, before, after)
        return { data: after }
      })
    },
  )

  app.delete(
    '/v1/webhook-subscriptions/:uid',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        versioned: 'header',
        summary: 'Delete a webhook subscription',
        description: 'Its delivery log is deleted too.',
        refusals: [webhookNotFound],
      },
      schema: { params: WebhookParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findSubscriptionForUpdate(tx, request.params.uid)
        if (!before) throw webhookNotFound()
        await request.mustMatch(tx, { id: before.uid, version: before.version })
        await deleteSubscription(tx, before.uid)
        await record.deleted(request, tx, before)
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/webhook-subscriptions/:uid/rotate-secret',
    {
      config: {
        access: manage,
        latency: 'simple_write',
        idempotent: true,
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the signing secret of a webhook subscription',
        description: `Only this response contains the new secret. For ${SECRET_OVERLAP_HOURS} hours deliveries are signed with the old one too.`,
        refusals: [webhookNotFound],
      },
      schema: { params: WebhookParams, response: { 200: One(WebhookSubscriptionWithSecret) } },
    },
    (request, reply) =>
      request.tenantCreate(reply, async (tx) => {
        reply.code(200)
        const before = await findSubscriptionForUpdate(tx, request.params.uid)
        if (!before) throw webhookNotFound()
        const { organization_id, secret_encrypted } = await findSecrets(tx, before.uid)
        const owner = { organization_id, uid: before.uid }
        const old = openSecret(box, owner, secret_encrypted)
        const secret = newSecret()
        const after = await updateSubscription(tx, before.uid, {
          secret_encrypted: sealSecret(box, owner, secret),
          secret_hint: hintOf(secret),
          previous_secret_encrypted: sealSecret(box, owner, old, 'previous_secret_encrypted'),
          previous_secret_expires_at: new Date(now().getTime() + SECRET_OVERLAP_HOURS * 3_600_000).toISOString(),
        })
        await record.secretRotated(request, tx, before, after, secretChanged)
        return { data: { ...after, secret } }
      }),
  )
}
