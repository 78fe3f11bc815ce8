import { createServer } from 'node:net'

export function portInUse(port: number): Error {
  const message = `Port ${port} is in use by another program. Stop it or set another port for the database.`
  return Object.assign(new Error(message), { code: 'PORT_IN_USE' })
}

/** Resolves to the port itself if nobody listens on it, or to a free one for 0. */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? portInUse(port) : error))
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}
