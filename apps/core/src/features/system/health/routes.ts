import { Health, Readiness } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import { check, shareRuns } from '@tendon/process'
import type { Routes } from '../../../feature.ts'

export const healthRoutes: Routes = (app, { db, redis, objects, sessionTokens }) => {
  const startedAt = performance.now()
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })

  const redisStatus = async () => (redis ? check(() => redis.ping()) : ('disabled' as const))
  const checkHealth = shareRuns(() => Promise.all([check(() => db.ping()), redisStatus()]))
  const checkReadiness = shareRuns(() =>
    Promise.all([
      checkHealth(),
      check(() => db.pingPrivileged()),
      check(() => objects.check()),
      check(() => sessionTokens.check()),
    ]),
  )

  app.get(
    '/health',
    {
      config: {
        access: publicAccess(),
        limit: 'none',
        summary: 'Get the health of the service',
        description: 'Reports the database and the cache.',
      },
      schema: { response: { 200: Health, 503: Health } },
    },
    async (_request, reply) => {
      const [postgresql, cache] = await checkHealth()
      const status = postgresql === 'unhealthy' ? 'unhealthy' : cache === 'unhealthy' ? 'degraded' : 'healthy'
      return reply.code(status === 'unhealthy' ? 503 : 200).send({
        status,
        checks: { postgresql: { status: postgresql, metrics: db.metrics() }, redis: { status: cache } },
        uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
      })
    },
  )

  app.get(
    '/health/ready',
    {
      config: {
        access: publicAccess(),
        limit: 'none',
        operationId: 'getReadiness',
        summary: 'Get readiness',
        description: 'Returns 200 when every dependency responds and the server accepts requests, otherwise 503.',
      },
      schema: { response: { 200: Readiness, 503: Readiness } },
    },
    async (_request, reply) => {
      const [[postgresql, cache], privileged, store, identity] = await checkReadiness()
      const checks = {
        postgresql: { status: postgresql },
        postgresql_platform: { status: privileged },
        redis: { status: cache },
        object_store: { status: store },
        identity_provider: { status: identity },
      }
      const ready = !draining && Object.values(checks).every(({ status }) => status !== 'unhealthy')
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', checks })
    },
  )
}
