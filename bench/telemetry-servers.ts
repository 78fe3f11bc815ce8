// A child process of the bench: the telemetry service, or a bare server that reads bodies, discards them and sends the
// same response.
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { readConfig } from '@tendon/config'
import { Database } from '@tendon/db'
import { openObjectStore } from '@tendon/object-store'
import { createMetrics, MAX_QUEUED_CONNECTIONS, serveMetrics } from '@tendon/process'
import { pino } from 'pino'
import { openFolder } from '../apps/telemetry/src/log/files.ts'
import { buildTelemetry } from '../apps/telemetry/src/telemetry.ts'

const [kind] = process.argv.slice(2)
const startedAt = performance.now()

if (kind === 'discard') {
  const answer = JSON.stringify({ frames_accepted: 30, session_id: randomUUID(), buffer_position_bytes: 123_456 })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length }
  const server = createServer((request, response) => {
    request.on('end', () => response.writeHead(202, headers).end(answer))
    request.resume()
  })
  await listen(server)
  tell(server)
} else {
  const config = readConfig(process.env)
  const registry = createMetrics('telemetry')
  await serveMetrics(registry, { ...config, HOST: '127.0.0.1' }, 0) // like the service: collecting metrics costs a little
  const telemetry = buildTelemetry({
    config,
    files: await openFolder(config.TELEMETRY_LOG_DIR ?? join(config.DATA_DIR, 'telemetry')),
    db: new Database({
      url: config.DATABASE_URL ?? '',
      roleSecret: config.DATABASE_ROLE_SECRET,
      login: 'tendon_telemetry',
      poolSize: 4,
      platformPoolSize: 1,
      connectionWaitMs: 5_000,
      statementTimeoutMs: 5_000,
      longStatementTimeoutMs: 30_000,
    }),
    objects: openObjectStore(config),
    registry,
    log: pino({ level: 'warn' }),
    now: Date.now,
    onFatal: () => process.exit(1),
  })
  const startingAt = performance.now()
  await telemetry.start()
  await listen(telemetry.server)
  tell(telemetry.server, { recoveredMs: performance.now() - startingAt })
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: MAX_QUEUED_CONNECTIONS }, resolve),
  )
}

function tell(server: Server, more: object = {}): void {
  const { port } = server.address() as { port: number }
  process.send?.({ port, bootMs: performance.now() - startedAt, ...more })
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuSeconds: (user + system) / 1e6, rss: process.memoryUsage().rss })
})

// So that a profiler can write its output.
process.on('SIGTERM', () => process.exit())
