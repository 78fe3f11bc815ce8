import { Choices, IntegrationService } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { connectors } from './connectors/index.ts'
import { listServices } from './queries.ts'

export const integrationServiceRoutes: Routes = (app) => {
  app.get(
    '/v1/integration-services',
    {
      config: {
        access: publicAccess(),
        latency: 'simple_read',
        limit: 'public_resolve',
        summary: 'List the services that can be connected',
      },
      schema: { response: { 200: Choices(IntegrationService) } },
    },
    async (request) => {
      const services = await request.findPublic((tx) => listServices(tx))
      return { data: services.map((service) => ({ ...service, is_available: connectors.has(service.slug) })) }
    },
  )
}
