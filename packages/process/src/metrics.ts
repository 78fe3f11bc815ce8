import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'

export function createMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  return registry
}

/** Serves the metrics, with those of the process itself, on a port that the outside world need not reach. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<Server> {
  collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
