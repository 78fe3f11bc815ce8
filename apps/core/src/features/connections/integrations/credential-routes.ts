import { changesBetween } from '@tendon/access'
import {
  CreatedIntegration,
  IntegrationEvent,
  IntegrationParams,
  integrationEventList,
  listParameters,
  Many,
  NewIntegrationCredentials,
  One,
} from '@tendon/contracts'
import { existing } from '@tendon/db'
import { pageOf, parseList, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { changeStatus, sealCredentials } from './connections.ts'
import { integrationNotFound, integrationRevoked, oauthRequiresCallbackFlow } from './errors.ts'
import { newInboundAccess } from './inbound-access.ts'
import { findIntegration, findIntegrationForUpdate, listStatusChanges, updateIntegration } from './queries.ts'
import { targetOf } from './routes.ts'
import {
  checkCredentials,
  checkedConfig,
  refuseOtherDestination,
  serviceOf,
  toolsOf,
  validationRefusals,
} from './validating.ts'

const access = permission('organizations.manage_integrations')

export const integrationCredentialRoutes: Routes = (app, services) => {
  const { box, config: settings } = services

  app.put(
    '/v1/organizations/:id/integrations/:integrationId/credentials',
    {
      config: {
        access,
        latency: 'complex_write',
        versioned: 'version',
        operationId: 'replaceIntegrationCredentials',
        summary: 'Replace the credentials of an integration',
        description:
          'Tests the new credentials first, with `config` if it is given. An `inbound_webhook` gets a new URL and signing secret; the old ones stop working.',
        refusals: [integrationNotFound, integrationRevoked, oauthRequiresCallbackFlow, ...validationRefusals],
      },
      schema: {
        params: IntegrationParams,
        body: NewIntegrationCredentials,
        response: { 200: One(CreatedIntegration) },
      },
    },
    async (request) => {
      const known = await request.find((tx) => findIntegration(tx, request.params.integrationId))
      if (!known) throw integrationNotFound()
      if (known.status === 'revoked') throw integrationRevoked()
      const { service, connector } = await serviceOf(request, known.service_slug)
      if (service.auth_type === 'oauth2') throw oauthRequiresCallbackFlow()
      const { credentials = {} } = request.body
      const config = request.body.config
        ? await checkedConfig(service, connector, request.body.config, toolsOf(request, services))
        : known.config
      const connection = { organizationId: known.organization_id, config, credentials }
      await checkCredentials(service, connector, connection, services)
      const inbound = service.auth_type === 'webhook_in_only' ? newInboundAccess(settings.publicUrl) : undefined
      return request.tenant(async (tx) => {
        const before = await findIntegrationForUpdate(tx, known.id)
        if (!before) throw integrationNotFound()
        if (before.status === 'revoked') throw integrationRevoked()
        await request.mustMatch(tx, before)
        // The credentials were tried with the config that was known then.
        if (!request.body.config) refuseOtherDestination(connector, before.config, config)
        await updateIntegration(tx, before.id, {
          credentials_encrypted: sealCredentials(
            box,
            before.organization_id,
            before.id,
            inbound?.credentials ?? credentials,
          ),
          ...(inbound ? { inbound_token_hash: inbound.hash } : {}),
          ...(request.body.config ? { config } : {}),
          status: 'connected',
          failure_count: 0,
        })
        const changes = [
          ...(request.body.config ? changesBetween({ config: before.config }, { config }) : []),
          { field: 'credentials', before: before.has_credentials ? 'set' : null, after: 'changed' },
        ]
        await request.audit(tx, {
          action: 'integrations.replace_credentials',
          crud: 'U',
          target: targetOf(before),
          changes,
        })
        if (before.status !== 'connected') {
          await changeStatus(tx, before.id, before.status, 'connected', 'credentials_replaced')
        }
        const after = existing(await findIntegration(tx, before.id))
        return { data: { ...after, ...(inbound ? { inbound: inbound.shown } : {}) } }
      })
    },
  )

  app.get(
    '/v1/organizations/:id/integrations/:integrationId/events',
    {
      config: {
        access,
        latency: 'simple_read',
        summary: 'List the status changes of an integration',
        refusals: [integrationNotFound],
      },
      schema: {
        params: IntegrationParams,
        querystring: listParameters(integrationEventList),
        response: { 200: Many(IntegrationEvent) },
      },
    },
    async (request) => {
      const list = parseList(integrationEventList, request.query)
      const { rows, total } = await request.tenant(async (tx) => {
        if (!(await findIntegration(tx, request.params.integrationId))) throw integrationNotFound()
        return listStatusChanges(tx, request.params.integrationId, list)
      })
      return { data: rows, pagination: pageOf(list, total) }
    },
  )
}
