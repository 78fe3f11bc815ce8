import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimited } from './refusals.ts'

export type LimitPolicy = 'entry' | 'public_resolve' | 'public_booking'
export type LimitsPerMinute = Readonly<Record<LimitPolicy, number>>

const WINDOW_SECONDS = 60

export interface RateLimitOptions {
  limits: LimitsPerMinute
  /** Shared by several servers; without it each server counts in its own memory. */
  redis?: Redis | undefined
  onStoreFailure?: (error: unknown) => void
}

/**
 * Limits requests per IP address: all of /v1, and addresses with nothing at them, under `entry`; routes with a policy of
 * their own also under that one. Fails open: when the store is down, requests pass.
 */
export function limitRequests(app: FastifyInstance, { limits, redis, onStoreFailure }: RateLimitOptions): void {
  const limiters = new Map<LimitPolicy, RateLimiterAbstract>()
  for (const policy of Object.keys(limits) as LimitPolicy[]) {
    const options = { keyPrefix: `limit:${policy}`, points: limits[policy], duration: WINDOW_SECONDS }
    limiters.set(
      policy,
      redis ? new RateLimiterRedis({ ...options, storeClient: redis }) : new RateLimiterMemory(options),
    )
  }

  async function consume(policy: LimitPolicy, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limiter = limiters.get(policy)
    if (!limiter) return
    try {
      announce(reply, limiter.points, await limiter.consume(callerOf(request.ip)))
    } catch (denied) {
      if (!(denied instanceof RateLimiterRes)) {
        onStoreFailure?.(denied)
        return
      }
      announce(reply, limiter.points, denied)
      throw rateLimited({}, { 'retry-after': String(Math.max(1, Math.ceil(denied.msBeforeNext / 1000))) })
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    // By the route and not by the address as written: /%761/me and http://any.example/v1/me both lead to /v1/me.
    const { url, config } = request.routeOptions
    if (url !== undefined && !url.startsWith('/v1')) return
    await consume('entry', request, reply)
    if (config.limit) await consume(config.limit, request, reply)
  })
}

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/** Whoever has one IPv6 address has the 64-bit network around it, and would be another caller with each request. */
function callerOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [, mapped] = IPV4_MAPPED.exec(ip) ?? []
  if (mapped !== undefined) return mapped
  const [left = [], right] = ip.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const zeros = right ? '0'.repeat(Math.max(0, GROUPS - left.length - right.length)).split('') : []
  const network = [...left, ...zeros, ...(right ?? [])].slice(0, NETWORK_GROUPS)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function announce(reply: FastifyReply, limit: number, state: RateLimiterRes): void {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', Math.max(0, state.remainingPoints))
  reply.header('x-ratelimit-reset', Math.ceil((Date.now() + state.msBeforeNext) / 1000))
}
