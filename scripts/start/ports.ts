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
  }
  const free = await Promise.all(given.map(([, port]) => isFree(host, port)))
  const taken = given.filter((_, index) => !free[index])
  return taken.length === 0 ? undefined : portsInUse(taken)
}

export function portsInUse(ports: readonly Port[]): string {
  const numbers = ports.map(([, port]) => port).join(', ')
  const settings = ports.map(([setting]) => `${setting}=…`).join(' ')
  const [subject, program] = ports.length === 1 ? ['is', 'that program'] : ['are', 'those programs']
  return `Port${ports.length === 1 ? '' : 's'} ${numbers} ${subject} in use, perhaps by another npm start. Stop ${program}, or choose other ports: ${settings} npm start`
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
