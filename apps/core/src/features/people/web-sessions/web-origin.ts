import type { Config } from '@tendon/config'
import type { FastifyRequest } from 'fastify'

/** The origin that the browser sees: a host of WEB_HOSTS, else PUBLIC_URL. A foreign Host header changes nothing. */
export function originOf(request: FastifyRequest, { WEB_HOSTS, publicUrl }: Config): string {
  return Object.values(WEB_HOSTS).includes(request.host) ? `https://${request.host}` : new URL(publicUrl).origin
}
