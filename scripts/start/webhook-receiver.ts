import { createServer } from 'node:http'
import { listenOn } from './ports.ts'

const MAX_SHOWN = 50
const MAX_BODY_BYTES = 64_000

interface Received {
  at: string
  signature: string
  body: string
}

/** A webhook receiver for local use: accepts every delivery and shows the newest at its URL. */
export async function startWebhookReceiver(host: string, port: number): Promise<() => Promise<void>> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.end(JSON.stringify(received, null, 2))
      return
    }
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => {
      const signature = String(request.headers['x-webhook-signature'] ?? '')
      received.unshift({ at: new Date().toISOString(), signature, body: Buffer.concat(chunks).toString() })
      received.length = Math.min(received.length, MAX_SHOWN)
      response.writeHead(204).end()
    })
  })
  await listenOn(server, 'WEBHOOK_RECEIVER_PORT', port, host)
  return () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
}
