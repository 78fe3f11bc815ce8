import { createServer } from 'node:net'

/** The first of the named ports that another program listens on. */
export async function busyPort(
  host: string,
  ports: readonly (readonly [string, number])[],
): Promise<readonly [string, number] | undefined> {
  for (const entry of ports) {
    if (entry[1] !== 0 && !(await isFree(host, entry[1]))) return entry
  }
  return undefined
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
