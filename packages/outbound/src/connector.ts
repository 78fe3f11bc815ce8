import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import type { Address } from './addresses.ts'

interface ConnectorOptions {
  addressesOf: (host: string) => Promise<[Address, ...Address[]]>
  timeoutMs: number
  ca?: string
}

type Connect = buildConnector.connector
type Target = buildConnector.Options

/**
 * Opens connections to checked addresses only. The check is here and not in a `lookup` option, because Node asks no
 * `lookup` about literal addresses. The socket gets the address, TLS the name.
 */
export function createConnector({ addressesOf, timeoutMs, ca }: ConnectorOptions): Connect {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, ...(ca === undefined ? {} : { ca }) })

  async function open(target: Target): Promise<Socket> {
    let failure: unknown
    for (const { address } of await addressesOf(target.hostname)) {
      try {
        return await openAt(target, address)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const openAt = (target: Target, address: string) =>
    new Promise<Socket>((resolve, reject) => {
      connect({ ...target, hostname: address }, (error, socket) => (socket ? resolve(socket) : reject(error)))
    })

  const openThen = callbackify(open)
  return (target, callback) =>
    openThen(target, (error, socket) => (error ? callback(error, null) : callback(null, socket)))
}
