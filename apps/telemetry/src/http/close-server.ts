import type { Server } from 'node:http'

const DRAIN_MS = 5_000

/** Lets requests in progress finish, then closes the remaining connections. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const patience = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(patience)
}
