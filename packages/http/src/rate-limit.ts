import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { rateLimited } from './refusals.ts'

export type LimitPolicy = 'entry' | 'public_resolve'
export type LimitsPerMinute = Readonly<Record<LimitPolicy, number>>

const WINDOW_SECONDS = 60

export interface RateLimitOptions {
  limits: LimitsPerMinute
  /** Shared by several servers; without it each server counts in its own memory. */
  redis?: Redis | undefined
  onStoreFailure?: (error: unknown) => void
}

/**
 * Limits requests per IP address: all of /v1 under `entry`, and routes with a policy of their own under that one.
 * Fails open: when the store is down, requests pass.
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
      announce(reply, limiter.points, await limiter.consume(request.ip))
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
    if (!request.url.startsWith('/v1')) return
    await consume('entry', request, reply)
    const { limit } = request.routeOptions.config
    if (limit) await consume(limit, request, reply)
  })
}

function announce(reply: FastifyReply, limit: number, state: RateLimiterRes): void {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', Math.max(0, state.remainingPoints))
  reply.header('x-ratelimit-reset', Math.ceil((Date.now() + state.msBeforeNext) / 1000))
}
