import { Agent, request } from 'node:http'
import { type LoadResult, Tally } from './load.ts'

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
 * Like `load`, with Node's HTTP client, as programs use it: it costs about three times as much and shares the cores
 * with the server.
 */
export async function loadByNode({ port, connections, seconds, next }: NodeLoad): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const tally = new Tally(seconds)

  async function drive(): Promise<void> {
    while (performance.now() < tally.until) tally.add(performance.now(), await send(port, agent, next()))
  }

  await Promise.all(Array.from({ length: connections }, drive))
  agent.destroy()
  return tally.result()
}

function send(port: number, agent: Agent, { path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).resume()
    })
    sent.on('error', reject).end(body)
  })
}
