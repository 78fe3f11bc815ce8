import { createHash, randomBytes } from 'node:crypto'
import type { Config } from '@tendon/config'
import { WEB_APPS, type WebApp } from '@tendon/contracts'
import { crossSite, soleHeader } from '@tendon/http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Seconds. */
export const SESSION_LIMITS: Readonly<Record<WebApp, { idle: number; longest: number }>> = {
  console: { idle: 30 * MINUTE, longest: 12 * HOUR },
  platform: { idle: 30 * MINUTE, longest: 12 * HOUR },
  portal: { idle: 14 * DAY, longest: 14 * DAY },
}

export const newSessionId = (): string => randomBytes(32).toString('base64url')
export const hashSessionId = (id: string): Buffer => createHash('sha256').update(id).digest()

/** The browser then refuses the cookie from a subdomain, another path or plain HTTP. */
const cookieName = (app: WebApp, secure: boolean) => `${secure ? '__Host-' : ''}tendon_${app}`

export interface SessionCookie {
  app: WebApp
  /** SHA-256 of the session id. */
  hash: Buffer
}

export interface CookieRules {
  /** The cookies are for HTTPS only. */
  secure: boolean
  /** Origins of the web apps, however a proxy rewrites the Host header. */
  origins: readonly string[]
}

export const cookieRulesOf = ({
  NODE_ENV,
  WEB_HOSTS,
  publicUrl,
  webOrigins,
}: Pick<Config, 'NODE_ENV' | 'WEB_HOSTS' | 'publicUrl' | 'webOrigins'>): CookieRules => ({
  secure: NODE_ENV === 'production',
  origins: [publicUrl, ...webOrigins, ...Object.values(WEB_HOSTS).map((host) => `https://${host}`)].map(
    (url) => new URL(url).origin,
  ),
})

/**
 * The session cookie of the app that X-Tendon-Web names; undefined without one. A page of another site cannot send that
 * header without a preflight, which the API never answers. Throws `cross_site` for a write that such a page could have sent.
 */
export function readSessionCookie(request: FastifyRequest, rules: CookieRules): SessionCookie | undefined {
  const cookies = parseCookie(request.headers.cookie ?? '')
  const named = soleHeader(request, 'x-tendon-web').value
  const app = WEB_APPS.find((known) => known === named)
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const hasCookie = WEB_APPS.some((known) => cookies[cookieName(known, rules.secure)] !== undefined)
  if (isWrite && hasCookie && (app === undefined || !isFromOwnPage(request, rules))) throw crossSite()
  return app && sessionIn(cookies, app, rules)
}

/** The session cookie of the app, whichever page sent it: only for ending that session. */
export const replacedSession = (request: FastifyRequest, app: WebApp, rules: CookieRules): SessionCookie | undefined =>
  sessionIn(parseCookie(request.headers.cookie ?? ''), app, rules)

function sessionIn(
  cookies: Record<string, string | undefined>,
  app: WebApp,
  { secure }: CookieRules,
): SessionCookie | undefined {
  const id = cookies[cookieName(app, secure)]
  return id ? { app, hash: hashSessionId(id) } : undefined
}

function isFromOwnPage(request: FastifyRequest, { secure, origins }: CookieRules): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined || origins.includes(origin)) return true
  // The web apps are served on every host that leads here, such as a domain of a clinic.
  return origin === `https://${request.host}` || (!secure && origin === `http://${request.host}`)
}

export function setSessionCookie(reply: FastifyReply, app: WebApp, id: string | null, secure: boolean): void {
  const value = stringifySetCookie({
    name: cookieName(app, secure),
    value: id ?? '',
    httpOnly: true,
    secure,
    sameSite: 'lax',
    path: '/',
    maxAge: id === null ? 0 : SESSION_LIMITS[app].longest,
  })
  reply.header('set-cookie', value)
}
