import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A setting and its port; 0 means any free port. */
type Port = readonly [setting: string, port: number]

/** Somebody else listens on the port of this setting. */
export class PortTaken extends Error {
  readonly setting: string
  constructor(setting: string) {
    super(`the port of ${setting} is taken`)
    this.setting = setting
  }
}

interface Listener {
  listen(port: number, host: string, done: () => void): unknown
  once(event: 'error', handler: (error: NodeJS.ErrnoException) => void): unknown
}

/** Throws `PortTaken`. */
export function listenOn(server: Listener, setting: string, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(error.code === 'EADDRINUSE' ? new PortTaken(setting) : error))
    server.listen(port, host, resolve)
  })
}

/** Returns why these ports cannot all be used; undefined when they can. */
export async function problemOfPorts(host: string, ports: readonly Port[]): Promise<string | undefined> {
  const given = ports.filter(([, port]) => port !== 0)
  for (const [setting, port] of given) {
    const other = given.find(([name, same]) => name !== setting && same === port)
    if (other)
      return `${setting} and ${other[0]} are both ${port}. Give each a port of its own: ${other[0]}=… npm start`
  }
  const taken = await takenOf(host, given)
  return taken.length === 0 ? undefined : portsInUse(taken)
}

export function portsInUse(ports: readonly Port[]): string {
  const numbers = ports.map(([, port]) => port).join(', ')
  const settings = ports.map(([setting]) => `${setting}=…`).join(' ')
  const [subject, program] = ports.length === 1 ? ['is', 'that program'] : ['are', 'those programs']
  return `Port${ports.length === 1 ? '' : 's'} ${numbers} ${subject} in use, perhaps by another npm start. Stop ${program}, or choose other ports: ${settings} npm start`
}

/** Those of the ports that somebody listens on. */
export async function takenOf<One extends Port>(host: string, ports: readonly One[]): Promise<One[]> {
  const free = await Promise.all(ports.map(([, port]) => isFree(host, port)))
  return ports.filter((_, index) => !free[index])
}

/** A free port, outside `used`. */
export async function anotherPort(host: string, used: readonly number[]): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    if (!used.includes(port)) return port
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
