import { connect, createServer, type Socket } from 'node:net'
import { portOf } from './port-of.ts'

export interface RoundTrips {
  /** The URL of the database through the proxy. */
  url: string
  /** How many round trips to the database the work took. */
  count(work: () => Promise<unknown>): Promise<number>
  /** Ends the connection that next sends this text, and passes nothing of it on. */
  cutAt(text: string): void
  close(): Promise<void>
}

/** A proxy in front of a database that counts round trips: each change of direction, from an answer to a message, is one. */
export async function startRoundTrips(databaseUrl: string): Promise<RoundTrips> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let trips = 0
  let cut: string | undefined

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let isAnswered = true
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (sent) => {
      if (cut !== undefined && sent.includes(cut)) {
        cut = undefined
        client.destroy()
        return
      }
      if (isAnswered) trips += 1
      isAnswered = false
      upstream.write(sent)
    })
    upstream.on('data', (answer) => {
      isAnswered = true
      client.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxied = new URL(databaseUrl)
  proxied.host = `127.0.0.1:${portOf(server)}`

  return {
    url: proxied.href,
    async count(work) {
      const before = trips
      await work()
      return trips - before
    },
    cutAt(text) {
      cut = text
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
