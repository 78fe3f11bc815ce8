import { Agent, request } from 'node:http'
import { type LoadResult, resultOf } from './load.ts'

export interface Sent {
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

interface NodeLoad {
  port: number
  connections: number
  seconds: number
  next: () => Sent
}

/**
 * As `load`, by Node's own HTTP client, as programs send: it costs about three times what the lean one does, and shares the
 * cores with the server.
 */
export async function loadByNode({ port, connections, seconds, next }: NodeLoad): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latencies: number[] = []
  let refused = 0
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000

  async function drive(): Promise<void> {
    while (performance.now() < until) {
      const from = performance.now()
      const status = await send(port, agent, next())
      latencies.push(performance.now() - from)
      if (status < 200 || status > 299) refused += 1
    }
  }

  await Promise.all(Array.from({ length: connections }, drive))
  const perSecond = latencies.length / ((performance.now() - startedAt) / 1000)
  agent.destroy()
  return resultOf(latencies, perSecond, refused)
}

function send(port: number, agent: Agent, { path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).resume()
    })
    sent.on('error', reject).end(body)
  })
}
