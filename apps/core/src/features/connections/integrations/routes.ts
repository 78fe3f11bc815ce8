import { randomUUID } from 'node:crypto'
import { changesBetween, publish } from '@tendon/access'
import {
  ById,
  ConnectionTest,
  CreatedIntegration,
  Integration,
  IntegrationChanges,
  IntegrationPagination,
  IntegrationParams,
  integrationList,
  listParameters,
  NewIntegration,
  NoContent,
  One,
} from '@tendon/contracts'
import { existing } from '@tendon/db'
import { parseList, permission } from '@tendon/http'
import { Type } from 'typebox'
import type { Routes } from '../../../feature.ts'
import { addJob } from '../../../platform/jobs.ts'
import { changeStatus, openConnection, recordHealth, sealCredentials } from './connections.ts'
import { bounded } from './connectors/connector.ts'
import {
  connectorNotRegistered,
  integrationNotFound,
  integrationRevoked,
  invalidConfig,
  oauthRequiresCallbackFlow,
  titleTaken,
} from './errors.ts'
import { newInboundAccess } from './inbound-access.ts'
import {
  findConnection,
  findIntegration,
  findIntegrationForUpdate,
  insertIntegration,
  listIntegrations,
  updateIntegration,
} from './queries.ts'
import { offsetOf } from './rules.ts'
import {
  checkCredentials,
  checkedConfig,
  connectorOf,
  refuseOtherDestination,
  serviceOf,
  toolsOf,
  validationRefusals,
} from './validating.ts'

export const targetOf = ({ id, title }: { id: string; title: string }) => ({ type: 'integration', id, label: title })

const access = permission('organizations.manage_integrations')
const Integrations = Type.Object({ data: Type.Array(Integration), pagination: IntegrationPagination })

export const integrationRoutes: Routes = (app, services) => {
  const { box, config: settings } = services

  app.get(
    '/v1/organizations/:id/integrations',
    {
      config: {
        access,
        latency: 'simple_read',
        summary: 'List the integrations of an organization',
        description: 'Takes `limit` and `offset`, or `page`. Removed ones are listed with the status `revoked`.',
      },
      schema: { params: ById, querystring: listParameters(integrationList), response: { 200: Integrations } },
    },
    async (request) => {
      const list = parseList(integrationList, request.query)
      const offset = offsetOf(request.query, list.page, list.limit)
      const { rows, total } = await request.findPage((tx) => listIntegrations(tx, list, offset))
      const page = Math.floor(offset / list.limit) + 1
      return { data: rows, pagination: { page, limit: list.limit, offset, total } }
    },
  )

  app.get(
    '/v1/organizations/:id/integrations/:integrationId',
    {
      config: { access, latency: 'simple_read', summary: 'Get an integration', refusals: [integrationNotFound] },
      schema: { params: IntegrationParams, response: { 200: One(Integration) } },
    },
    async (request) => {
      const integration = await request.find((tx) => findIntegration(tx, request.params.integrationId))
      if (!integration) throw integrationNotFound()
      return { data: integration }
    },
  )

  app.post(
    '/v1/organizations/:id/integrations',
    {
      config: {
        access,
        latency: 'complex_write',
        idempotent: true,
        summary: 'Connect a service with credentials',
        description:
          'Tests the connection first. Only this response contains the URL and signing secret of an `inbound_webhook`.',
        refusals: [oauthRequiresCallbackFlow, titleTaken, ...validationRefusals],
      },
      schema: { params: ById, body: NewIntegration, response: { 201: One(CreatedIntegration) } },
    },
    async (request, reply) => {
      const { service_slug, title, credentials = {} } = request.body
      const { service, connector } = await serviceOf(request, service_slug)
      if (service.auth_type === 'oauth2') throw oauthRequiresCallbackFlow()
      const config = await checkedConfig(service, connector, request.body.config ?? {}, toolsOf(request, services))
      const organizationId = request.params.id
      await checkCredentials(service, connector, { organizationId, config, credentials }, services)
      const inbound = service.auth_type === 'webhook_in_only' ? newInboundAccess(settings.publicUrl) : undefined
      return request.tenantCreate(reply, async (tx) => {
        const id = randomUUID()
        const created = await insertIntegration(tx, {
          id,
          service_slug,
          title,
          config,
          status: 'connected',
          credentials_encrypted: sealCredentials(box, organizationId, id, inbound?.credentials ?? credentials),
          ...(inbound ? { inbound_token_hash: inbound.hash } : {}),
        })
        const changes = [...changesBetween({}, created), { field: 'credentials', before: null, after: 'changed' }]
        await request.audit(tx, { action: 'integrations.create', crud: 'C', target: targetOf(created), changes })
        await publish(tx, 'integration.status_changed', { integration_id: id, status: 'connected' })
        return { data: { ...created, ...(inbound ? { inbound: inbound.shown } : {}) } }
      })
    },
  )

  app.patch(
    '/v1/organizations/:id/integrations/:integrationId',
    {
      config: {
        access,
        latency: 'complex_write',
        versioned: 'version',
        summary: 'Update an integration',
        description:
          'Changes `title` and replaces `config` as a whole. The fields that say where and how the credentials are sent (`host`, `port` and `security` of a mail server) are changed together with the credentials, by `PUT …/credentials`.',
        refusals: [integrationNotFound, integrationRevoked, titleTaken, connectorNotRegistered, invalidConfig],
      },
      schema: { params: IntegrationParams, body: IntegrationChanges, response: { 200: One(Integration) } },
    },
    async (request) => {
      const { title, config: given } = request.body
      const known = await request.find((tx) => findIntegration(tx, request.params.integrationId))
      if (!known) throw integrationNotFound()
      const { service, connector } = await serviceOf(request, known.service_slug)
      const config = given ? await checkedConfig(service, connector, given, toolsOf(request, services)) : undefined
      return request.tenant(async (tx) => {
        const before = await findIntegrationForUpdate(tx, known.id)
        if (!before) throw integrationNotFound()
        if (before.status === 'revoked') throw integrationRevoked()
        await request.mustMatch(tx, before)
        if (config) refuseOtherDestination(connector, before.config, config)
        await updateIntegration(tx, before.id, {
          ...(title === undefined ? {} : { title }),
          ...(config ? { config } : {}),
        })
        const after = existing(await findIntegration(tx, before.id))
        const changes = changesBetween(before, after)
        await request.audit(tx, { action: 'integrations.update', crud: 'U', target: targetOf(after), changes })
        await publish(tx, 'integration.updated', { integration_id: after.id })
        return { data: after }
      })
    },
  )

  app.delete(
    '/v1/organizations/:id/integrations/:integrationId',
    {
      config: {
        access,
        latency: 'simple_write',
        versioned: 'header',
        summary: 'Disconnect a service',
        description:
          'Deletes its credentials and sets its status to `revoked`. This cannot be undone; connect the service again to use it.',
        refusals: [integrationNotFound, integrationRevoked],
      },
      schema: { params: IntegrationParams, response: { 204: NoContent } },
    },
    async (request, reply) => {
      await request.tenant(async (tx) => {
        const before = await findIntegrationForUpdate(tx, request.params.integrationId)
        if (!before) throw integrationNotFound()
        if (before.status === 'revoked') throw integrationRevoked()
        await request.mustMatch(tx, before)
        const stored = await findConnection(tx, before.id)
        await updateIntegration(tx, before.id, {
          status: 'revoked',
          credentials_encrypted: null,
          inbound_token_hash: null,
          token_expires_at: null,
        })
        if (before.auth_type === 'oauth2' && stored?.credentials_encrypted) {
          // Still sealed: the job alone can read it.
          const sealed = stored.credentials_encrypted.toString('base64')
          await addJob(tx, 'revoke_oauth_token', { integration_id: before.id, sealed })
        }
        const changes = changesBetween(before, { ...before, status: 'revoked', has_credentials: false })
        await request.audit(tx, { action: 'integrations.delete', crud: 'D', target: targetOf(before), changes })
        await changeStatus(tx, before.id, before.status, 'revoked', 'deleted')
      })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/organizations/:id/integrations/:integrationId/test',
    {
      config: {
        access,
        latency: 'complex_write',
        operationId: 'testIntegration',
        summary: 'Test an integration',
        description:
          'Calls the service and waits at most 5 seconds. If the service does not work, the response says so; the request still succeeds.',
        refusals: [integrationNotFound, integrationRevoked, connectorNotRegistered],
      },
      schema: { params: IntegrationParams, response: { 200: One(ConnectionTest) } },
    },
    async (request) => {
      const stored = await request.find((tx) => findConnection(tx, request.params.integrationId))
      if (!stored) throw integrationNotFound()
      if (stored.status === 'revoked' || stored.status === 'pending') throw integrationRevoked()
      const connector = connectorOf(stored.service_slug)
      const start = performance.now()
      const error = await bounded(connector.healthcheck(openConnection(box, stored), services))
      const duration_ms = Math.round(performance.now() - start)
      await request.tenant(async (tx) => {
        await recordHealth(tx, stored.id, error, services.now())
        await request.audit(tx, {
          action: 'integrations.test',
          crud: 'E',
          target: { type: 'integration', id: stored.id },
          outcome: error === undefined ? 'success' : 'failure',
        })
      })
      return { data: { ok: error === undefined, error_code: error ?? null, duration_ms } }
    },
  )
}
