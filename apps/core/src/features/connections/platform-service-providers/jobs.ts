import type { Job } from '../../../platform/jobs.ts'
import { createPlatformProviders } from './cache.ts'
import { checkProvider } from './checks.ts'
import { listCapabilitiesToCheck, mirrorProvider, recordProviderCheck } from './queries.ts'

export const platformServiceProviderJobs: readonly Job[] = [
  {
    name: 'check_platform_providers',
    cron: '* * * * *',
    async run(_payload, { services, tenant, log }) {
      const { config, db, box, now } = services
      const before = new Date(now().getTime() - config.PROVIDER_HEALTH_CHECK_MINUTES * 60_000 + 1_000)
      const capabilities = await tenant(async (tx) => {
        await mirrorProvider(tx, 'auth', 'oidc', { issuer: config.issuer })
        if (config.OBJECT_STORE === 's3') {
          await mirrorProvider(tx, 'storage', 's3', { bucket: config.S3_BUCKET, region: config.S3_REGION })
        }
        return listCapabilitiesToCheck(tx, before)
      })
      const fresh = createPlatformProviders(db, box, now)
      for (const capability of capabilities) {
        const provider = await fresh.of(capability)
        if (!provider) continue
        const error = await checkProvider(services, capability, provider)
        if (error !== null) log.warn({ capability, error }, 'a platform provider does not work')
        await tenant((tx) => recordProviderCheck(tx, provider.id, error, now()))
      }
    },
  },
]
