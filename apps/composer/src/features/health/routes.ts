import { ComposerHealth, ComposerReadiness } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import { check, shareRuns } from '@tendon/process'
import { SANDBOX_MESSAGES } from '../../rendering/sandbox-messages.ts'
import type { Routes } from '../../services.ts'

export const healthRoutes: Routes = (app, { db, objects, sessionTokens, ffmpeg }) => {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })

  const checkDatabase = shareRuns(() => check(() => db.ping()))
  const checkAll = shareRuns(() =>
    Promise.all([checkDatabase(), check(() => objects.check()), check(() => sessionTokens.check())]),
  )

  app.get(
    '/health',
    {
      config: { access: publicAccess(), operationId: 'getComposerHealth', summary: 'Get the health of the service' },
      schema: { response: { 200: ComposerHealth, 503: ComposerHealth } },
    },
    async (_request, reply) => {
      const status = await checkDatabase()
      return reply.code(status === 'healthy' ? 200 : 503).send({ status })
    },
  )

  app.get(
    '/health/ready',
    {
      config: {
        access: publicAccess(),
        operationId: 'getComposerReadiness',
        summary: 'Get readiness',
        description:
          'Returns 200 when every dependency responds. Also returns the version of ffmpeg and whether it runs in a sandbox.',
      },
      schema: { response: { 200: ComposerReadiness, 503: ComposerReadiness } },
    },
    async (_request, reply) => {
      const [postgresql, object_store, identity] = await checkAll()
      const version = await ffmpeg?.version().catch(() => undefined)
      const sandbox = version === undefined ? undefined : (await ffmpeg?.isolation())?.isolation
      const message = sandbox
        ? `Videos can be rendered. ${SANDBOX_MESSAGES[sandbox]}`
        : 'Nothing is rendered: install ffmpeg (Debian and Ubuntu: apt-get install ffmpeg; macOS: brew install ffmpeg) or name it in FFMPEG_PATH.'
      const checks = { postgresql, object_store, identity }
      const ready = !draining && Object.values(checks).every((status) => status === 'healthy')
      const renderer = { ffmpeg: version ?? null, sandbox: sandbox ?? null, message }
      return reply.code(ready ? 200 : 503).send({ ready, checks, renderer })
    },
  )
}
