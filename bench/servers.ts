// A child process of the bench: the core API, its worker, a bare Fastify route that returns the same bytes, or a
// program of plain SQL.
import { readConfig } from '@tendon/config'
import fastify from 'fastify'
import { buildApp } from '../apps/core/src/app.ts'
import { buildWorker } from '../apps/core/src/build-worker.ts'
import { createServices } from '../apps/core/src/create-services.ts'
import { startPlain } from './peers-plain.ts'
import { ungated } from './ungated.ts'

const [kind, payload = ''] = process.argv.slice(2)

if (kind === 'bare') {
  const app = fastify()
  const bytes = Buffer.from(payload, 'base64')
  app.get('/bare', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
  await app.listen({ port: 0, host: '127.0.0.1' })
  tell(app.server.address())
} else if (kind === 'worker') {
  const config = readConfig(process.env)
  const databaseUrl = config.DATABASE_URL ?? ''
  await buildWorker(createServices(config, 'tendon_worker', databaseUrl), databaseUrl)
  tell({ port: 0 })
} else if (kind === 'plain') {
  tell({ port: await startPlain(payload) })
} else {
  const config = readConfig(process.env)
  const app = buildApp(createServices(config, 'tendon_app', config.DATABASE_URL ?? ''), { routes: [ungated] })
  await app.listen({ port: 0, host: '127.0.0.1' })
  tell(app.server.address())
}

function tell(address: unknown): void {
  process.send?.({ port: (address as { port: number }).port })
}

// A bench that failed leaves no server behind.
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuSeconds: (user + system) / 1e6, bytes: process.memoryUsage.rss() })
})
