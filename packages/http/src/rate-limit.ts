import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { type ApiError, textIn } from './errors.ts'
import { rateLimited } from './refusals.ts'

const POLICIES = ['entry', 'public_resolve', 'public_booking', 'calendar_feed', 'inbound'] as const

export type LimitPolicy = (typeof POLICIES)[number]
type LimitsPerMinute = Readonly<Record<LimitPolicy, number>>
type Counter = LimitPolicy | 'caller' | 'organization'

const WINDOW_SECONDS = 60
/** The limit is given with each request; the library only counts. */
const UNLIMITED = Number.MAX_SAFE_INTEGER

interface RateLimitOptions {
  limits: LimitsPerMinute
  /** Shared by several servers; without it each server counts in its own memory. */
  redis?: Redis | undefined
  onStoreFailure?: (error: unknown) => void
}

/** A caller with a valid token. */
export interface CountedCaller {
  principalId: string
  /** The current organization and its limit; undefined without one. */
  organization?: { id: string; perMinute: number } | undefined
}

interface RateLimits {
  /** Counts a request with a valid token, per caller and per organization. */
  countCaller(reply: FastifyReply, caller: CountedCaller): Promise<void>
  /** Counts a request whose token was refused (401), per IP address. */
  countFailedSignIn(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts what never became a request, per IP address. */
  countMalformed(ip: string): Promise<Counted>
}

export interface Counted {
  headers: Record<string, string>
  refused?: ApiError | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    rateLimits: RateLimits
  }
}

interface Count {
  counter: Counter
  key: string
  perMinute: number
}

/**
 * Limits requests. Without a valid token they count per IP address under `entry`; with one, per caller and per organization
 * (`rateLimits`). Routes with a policy of their own also count under that one, per IP address or `limitBy`. Health, metrics and static
 * files do not count (`limit: 'none'`). Fails open: when the store is down, requests pass.
 */
export function limitRequests(app: FastifyInstance, { limits, redis, onStoreFailure }: RateLimitOptions): void {
  const limiters = new Map<Counter, RateLimiterAbstract>()
  for (const counter of [...POLICIES, 'caller', 'organization'] as const) {
    const options = { keyPrefix: `limit:${counter}`, points: UNLIMITED, duration: WINDOW_SECONDS }
    limiters.set(
      counter,
      redis ? new RateLimiterRedis({ ...options, storeClient: redis }) : new RateLimiterMemory(options),
    )
  }

  /** Counts the request everywhere and announces the tightest limit. */
  async function consume(reply: FastifyReply, counts: readonly Count[]): Promise<void> {
    const { headers, refused } = await count(counts)
    reply.headers(headers)
    if (refused) throw refused
  }

  async function count(counts: readonly Count[]): Promise<Counted> {
    const states = await Promise.all(
      counts.map(async ({ counter, key, perMinute }) => {
        const state = await limiters.get(counter)?.consume(key).catch(failOpen)
        return state && { perMinute, left: perMinute - state.consumedPoints, ms: state.msBeforeNext }
      }),
    )
    const [tightest] = states.filter((state) => state !== undefined).toSorted((one, other) => one.left - other.left)
    if (!tightest) return { headers: {} }
    const { perMinute, left, ms } = tightest
    const headers = {
      'x-ratelimit-limit': String(perMinute),
      'x-ratelimit-remaining': String(Math.max(0, left)),
      'x-ratelimit-reset': String(Math.ceil((Date.now() + ms) / 1000)),
    }
    if (left >= 0) return { headers }
    return { headers, refused: rateLimited({}, { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) }) }
  }

  function failOpen(error: unknown): RateLimiterRes | undefined {
    if (error instanceof RateLimiterRes) return error
    onStoreFailure?.(error)
    return undefined
  }

  const byAddress = (policy: LimitPolicy, { ip }: Pick<FastifyRequest, 'ip'>): Count => ({
    counter: policy,
    key: networkOf(ip),
    perMinute: limits[policy],
  })

  /** The parameter may be a secret, such as the token of an inbound webhook: it is counted under its hash. */
  const byParameter = (policy: LimitPolicy, value: string): Count => ({
    counter: policy,
    key: createHash('sha256').update(value).digest('base64url'),
    perMinute: limits[policy],
  })

  app.decorate('rateLimits', {
    countCaller: (reply, { principalId, organization }) =>
      consume(reply, [
        { counter: 'caller', key: principalId, perMinute: limits.entry },
        ...(organization
          ? [{ counter: 'organization', key: organization.id, perMinute: organization.perMinute } as const]
          : []),
      ]),
    async countFailedSignIn(request, reply) {
      if (hasCredentials(request)) await consume(reply, [byAddress('entry', request)])
    },
    countMalformed: (ip) => count([byAddress('entry', { ip })]),
  })

  app.addHook('onRequest', async (request, reply) => {
    // By the route and not by the URL as written: /%761/me and http://any.example/v1/me both lead to /v1/me.
    const { limit, limitBy, access } = request.routeOptions.config
    if (limit === 'none') return
    const isOpen = access === undefined || access.kind === 'public'
    if (isOpen || !hasCredentials(request)) await consume(reply, [byAddress('entry', request)])
    if (!limit) return
    const parameter = limitBy === undefined ? undefined : textIn(request.params, limitBy)
    await consume(reply, [parameter === undefined ? byAddress(limit, request) : byParameter(limit, parameter)])
  })
}

const hasCredentials = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/** An IPv6 client has a whole /64 network and could use another address for each request, so the network counts. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [, mapped] = IPV4_MAPPED.exec(ip) ?? []
  if (mapped !== undefined) return mapped
  const [left = [], right] = ip.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const zeros = right ? '0'.repeat(Math.max(0, GROUPS - left.length - right.length)).split('') : []
  const network = [...left, ...zeros, ...(right ?? [])].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
