import { createServer } from 'node:net'

/** A setting and its port; 0 means any free port. */
type Port = readonly [setting: string, port: number]

/** Returns why these ports cannot all be used; undefined when they can. */
export async function problemOfPorts(host: string, ports: readonly Port[]): Promise<string | undefined> {
  const given = ports.filter(([, port]) => port !== 0)
  for (const [setting, port] of given) {
    const other = given.find(([name, same]) => name !== setting && same === port)
    if (other)
      return `${setting} and ${other[0]} are both ${port}. Give each a port of its own: ${other[0]}=… npm start`
    if (!(await isFree(host, port))) return portInUse(setting, port)
  }
  return undefined
}

export const portInUse = (setting: string, port: number): string =>
  `Port ${port} is in use by another program. Stop that program, or choose another port: ${setting}=… npm start`

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
