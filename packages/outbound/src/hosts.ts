import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './addresses.ts'

const LOOPBACK = 'localhost'

/**
 * The one spelling of a host: lower case, Punycode, no final dot, addresses in their usual form, `localhost` for every
 * loopback. Undefined for a text that is no host.
 */
export function normaliseHost(text: string): string | undefined {
  const literal = text.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(literal)) return normalAddress(literal)
  if (/[/\\?#@:[\]\s]/.test(text)) return undefined
  // Reads addresses in one number, in hex and in octal, as every HTTP client does.
  const name = URL.parse(`https://${text}`)?.hostname.replace(/\.+$/, '')
  if (name === undefined || name === '') return undefined
  if (ipaddr.isValid(name)) return normalAddress(name)
  return name.endsWith(`.${LOOPBACK}`) ? LOOPBACK : name
}

function normalAddress(text: string): string {
  const address = ipaddr.process(text)
  const range = address.range()
  return range === 'loopback' || range === 'unspecified' ? LOOPBACK : address.toString()
}

export interface HostAndPort {
  hostname: string
  /** Empty for the port of the protocol, as in a URL. */
  port: string | number
  protocol?: string
}

/** Whether a place is at a host of these URLs, on any port. On a local machine, which other services share, the port counts. */
export function createOwnHosts(urls: readonly string[]): (place: HostAndPort) => boolean {
  const own = new Set(urls.map((url) => keyOf(new URL(url))))
  return (place) => {
    const key = keyOf(place)
    return key !== undefined && own.has(key)
  }
}

function keyOf({ hostname, port, protocol }: HostAndPort): string | undefined {
  const host = normaliseHost(hostname)
  if (host === undefined || !isLocal(host)) return host
  return `${host}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`
}

const isLocal = (host: string): boolean => (ipaddr.isValid(host) ? !isPublicAddress(host) : !host.includes('.'))
