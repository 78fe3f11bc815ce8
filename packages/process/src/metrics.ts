import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Config } from '@tendon/config'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { headerTimeout } from './header-timeout.ts'

export function createMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  return registry
}

/** Serves the metrics, with those of the process itself, on a port that the outside world need not reach. */
export async function serveMetrics(
  registry: Registry,
  { HOST, HEADERS_TIMEOUT_MS }: Pick<Config, 'HOST' | 'HEADERS_TIMEOUT_MS'>,
  port: number,
): Promise<Server> {
  collectDefaultMetrics({ register: registry })
  function answer({ url, headersDistinct }: IncomingMessage, response: ServerResponse): void {
    if ((headersDistinct.host?.length ?? 0) > 1) return void response.writeHead(400, { connection: 'close' }).end()
    if (url !== '/metrics') return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  }
  const server = createServer({ ...headerTimeout(HEADERS_TIMEOUT_MS), requestTimeout: HEADERS_TIMEOUT_MS }, answer)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve))
  return server
}
