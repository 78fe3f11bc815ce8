import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutboundError, outboundError } from './errors.ts'

export interface Address {
  address: string
  family: 4 | 6
}

/** Public by number, but answered inside a cloud: the metadata service of Azure. */
const METADATA_ADDRESSES = new Set(['168.63.129.16'])
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** True for an address of the public internet: not private, loopback, link-local, mapped, reserved or for metadata. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || METADATA_ADDRESSES.has(address.toString())) return false
  // ::7f00:1 is 127.0.0.1 to some systems, and no special range to ipaddr.js.
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}

interface AddressCheckOptions {
  /** `address` or `address:port`; empty for the system's resolver. */
  dnsServers?: readonly string[]
  isAllowed?: (address: string) => boolean
  timeoutMs?: number
}

/**
 * Resolves a host to the addresses that may be connected to, IPv4 first. One refused address refuses all of them. The
 * caller connects to an address returned here and never resolves the name again.
 */
export function createAddressCheck({
  dnsServers = [],
  isAllowed = isPublicAddress,
  timeoutMs = 10_000,
}: AddressCheckOptions = {}) {
  const resolve = dnsServers.length === 0 ? resolveBySystem : resolverOf(dnsServers, timeoutMs)

  return async (host: string): Promise<[Address, ...Address[]]> => {
    const literal = host.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(literal) === 0 ? await resolve(host) : [literal]
    if (addresses.some((address) => !isAllowed(address))) throw new OutboundError('address_refused')
    const [first, ...others] = addresses
      .map((address): Address => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
      .sort((a, b) => a.family - b.family)
    if (first === undefined) throw new OutboundError('dns')
    return [first, ...others]
  }
}

async function resolveBySystem(host: string): Promise<string[]> {
  const found = await dns.lookup(host, { all: true }).catch(raise)
  return found.map(({ address }) => address)
}

function resolverOf(servers: readonly string[], timeoutMs: number) {
  const resolver = new dns.Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
  resolver.setServers(servers)
  return async (host: string): Promise<string[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0) raise(failed?.reason)
    return addresses
  }
}

function raise(error: unknown): never {
  const named = outboundError(error)
  throw named.failure === 'connection_lost' ? new OutboundError('dns', { cause: error }) : named
}
