import { systemContext } from '@tendon/access'
import type { Job } from '../../../platform/jobs.ts'
import { openConnection, recordHealth } from './connections.ts'
import { bounded } from './connectors/connector.ts'
import { connectors } from './connectors/index.ts'
import { oauthClientOf } from './oauth-client.ts'
import { deleteExpiredIntegrationRows, listIntegrationsToCheck, listTokensToRefresh } from './oauth-queries.ts'
import { findConnection, findService } from './queries.ts'
import { freshConnection, refreshTokens } from './tokens.ts'

const REFRESH_BEFORE_MINUTES = 10
const CHECK_EVERY_MINUTES = 60
const MAX_BATCH = 500
const minutes = (count: number) => count * 60_000

export const integrationJobs: readonly Job[] = [
  {
    name: 'delete_expired_integration_rows',
    cron: '*/5 * * * *',
    run: (_payload, { tenant, services }) => tenant((tx) => deleteExpiredIntegrationRows(tx, services.now())),
  },
  {
    name: 'refresh_oauth_tokens',
    cron: '*/5 * * * *',
    async run(_payload, { services, tenant, log, signal }) {
      const before = new Date(services.now().getTime() + minutes(REFRESH_BEFORE_MINUTES))
      for (const place of await tenant((tx) => listTokensToRefresh(tx, before, MAX_BATCH))) {
        if (signal.aborted) return
        const failure = await refreshTokens(services, place, before)
        if (failure !== undefined) log.warn({ integration: place.id, failure }, 'a token was not renewed')
      }
    },
  },
  {
    name: 'check_integrations',
    cron: '*/5 * * * *',
    async run(_payload, { services, tenant, log, signal }) {
      const { db, now } = services
      const before = new Date(now().getTime() - minutes(CHECK_EVERY_MINUTES))
      for (const place of await tenant((tx) => listIntegrationsToCheck(tx, before, MAX_BATCH))) {
        if (signal.aborted) return
        const context = systemContext(place.organization_id)
        const stored = await db.tenant(context, (tx) => findConnection(tx, place.id))
        const connector = stored ? connectors.get(stored.service_slug) : undefined
        if (!stored || !connector) continue
        const connection = await freshConnection(services, place)
        // The failed renewal is already recorded. A provider that does not answer has not refused the token.
        if (!connection) continue
        const error = await bounded(connector.healthcheck(connection, services))
        if (error !== undefined) log.warn({ integration: place.id, error }, 'an integration does not work')
        await db.tenant(context, (tx) => recordHealth(tx, place.id, error, now()))
      }
    },
  },
  {
    name: 'revoke_oauth_token',
    async run({ integration_id, sealed }, { services, tenant, organizationId }) {
      const id = String(integration_id)
      const found = await tenant(async (tx) => {
        const stored = await findConnection(tx, id)
        return stored ? { stored, service: await findService(tx, stored.service_slug) } : undefined
      })
      if (!found?.service?.provider || organizationId === null) return
      const credentials_encrypted = Buffer.from(String(sealed), 'base64')
      const { credentials } = openConnection(services.box, { ...found.stored, credentials_encrypted })
      const token = credentials.refresh_token ?? credentials.access_token
      if (typeof token !== 'string') return
      const client = await oauthClientOf(services, found.service.provider)
      await client.revoke(token)
    },
  },
]
