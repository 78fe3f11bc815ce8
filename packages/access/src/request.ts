import type { Config } from '@tendon/config'
import {
  type Database,
  type Listener,
  NIL_UUID,
  type PlatformTx,
  type PublicTx,
  type ServiceTx,
  type TenantTx,
  type TransactionOptions,
} from '@tendon/db'
import { ApiError, type CountedCaller, createOnce, networkOf, unauthenticated } from '@tendon/http'
import { blindIndex, type SecretBox } from '@tendon/secrets'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AuditEntry, AuditLog, actorOf } from './audit.ts'
import { type Caller, checkAccess, checkOrganization, contextOf, isRead } from './caller.ts'
import { createCallerCache } from './caller-cache.ts'
import { checkFeatureConsent, checkRequiredConsents } from './consent-gate.ts'
import { identifyCaller, identifyCallerIn } from './identify.ts'
import { createOrganizationLimits } from './organization-limits.ts'
import { traceRead } from './read-trace.ts'
import type { SessionTokens } from './session-tokens.ts'
import { cookieRulesOf } from './web-session.ts'

type Work<Tx, Result> = (tx: Tx) => Promise<Result>

// What a handler gets: its caller, and transactions already scoped to that caller.
declare module 'fastify' {
  interface FastifyRequest {
    /** Throws on a public route. */
    readonly caller: Caller
    /** Switches to another organization of the caller; false when the caller does not belong to it. */
    enterOrganization(organizationId: string): Promise<boolean>
    /** For a handler that reads a slow body itself: checks access again. */
    refresh(): Promise<void>
    /** One transaction in the caller's organization, under row-level security. */
    tenant<Result>(work: Work<TenantTx, Result>, options?: TransactionOptions): Promise<Result>
    /** Like `tenant`, for a single query: a read without an audit entry. */
    find<Result>(work: Work<TenantTx, Result>): Promise<Result>
    /** Like `find`, for a page of a list and its total (`readPage`), and nothing else. */
    findPage<Result>(work: Work<TenantTx, Result>, options?: Pick<TransactionOptions, 'inOrder'>): Promise<Result>
    /** One transaction above all tenants: superadmin routes only. */
    platform<Result>(work: Work<PlatformTx, Result>, options?: TransactionOptions): Promise<Result>
    /** One transaction without a caller. */
    public<Result>(work: Work<PublicTx, Result>): Promise<Result>
    /** Like `public`, for a single query: a look-up by what a visitor knows. */
    findPublic<Result>(work: Work<PublicTx, Result>): Promise<Result>
    /** One transaction as the service of an organization that a public route has found, with the codes of the route. */
    service<Result>(organizationId: string, work: Work<ServiceTx, Result>): Promise<Result>
    /** Like `service`, for a POST that creates: answers 201 and supports Idempotency-Key. */
    serviceCreate<Body>(reply: FastifyReply, organizationId: string, work: Work<ServiceTx, Body>): Promise<Body>
    /** Like `tenant`, for a POST that creates: answers 201 and supports Idempotency-Key. */
    tenantCreate<Body>(reply: FastifyReply, work: Work<TenantTx, Body>): Promise<Body>
    /** Like `platform`, for a POST that creates. */
    platformCreate<Body>(reply: FastifyReply, work: Work<PlatformTx, Body>): Promise<Body>
    /** Writes an audit entry in the given transaction. `organizationId` (null: the platform) where it is not the caller's. */
    audit(tx: TenantTx | PlatformTx, entry: AuditEntry, organizationId?: string | null): Promise<void>
    [CALLER]: Caller | null
    [AUTHORIZED_AT]: number
  }
}

const CALLER = Symbol('caller')
const AUTHORIZED_AT = Symbol('authorized at')

const SLOW_BODY_MS = 500
const VISITORS = { table: 'idempotency_keys', column: 'path', organization_id: '' }

/** What identifying a caller and writing the audit log need. */
export interface AccessServices {
  config: Pick<
    Config,
    | 'BLIND_INDEX_KEY'
    | 'CALLER_CACHE_MS'
    | 'NODE_ENV'
    | 'RATE_LIMIT_ORGANIZATION_PER_MINUTE'
    | 'WEB_HOSTS'
    | 'publicUrl'
    | 'webOrigins'
  >
  db: Database
  /** Notices of changes of rights, including those that other processes made. */
  rightsNotices: Listener
  box: SecretBox
  sessionTokens: SessionTokens
}

export function addRequestTools(app: FastifyInstance, services: AccessServices): void {
  const { db, box, sessionTokens, config, rightsNotices } = services
  const callers = createCallerCache({ maxAgeMs: config.CALLER_CACHE_MS, notices: rightsNotices })
  app.addHook('onClose', async () => callers.close())
  const identification = { db, callers, sessionTokens, cookies: cookieRulesOf(config) }
  const auditLog = new AuditLog(box)
  const organizationLimit = createOrganizationLimits(db, config.RATE_LIMIT_ORGANIZATION_PER_MINUTE)

  app.decorateRequest(CALLER, null)
  app.decorateRequest(AUTHORIZED_AT, 0)
  app.decorateRequest('caller', {
    getter(this: FastifyRequest) {
      const caller = this[CALLER]
      if (!caller) throw new Error('this route is public and has no caller')
      return caller
    },
  })
  app.decorateRequest('enterOrganization', async function (organizationId) {
    const caller = await identifyCallerIn(this, identification, organizationId)
    if (caller) this[CALLER] = caller
    return caller !== undefined
  })
  app.decorateRequest('refresh', function () {
    return authorizeAgain(this)
  })
  app.decorateRequest('tenant', function (work, options) {
    const { service } = this.routeOptions.config
    const context = contextOf(this.caller)
    const repeatable = isRead(this)
    return db.tenant(service ? { ...context, serviceCodes: service.codes } : context, work, { repeatable, ...options })
  })
  app.decorateRequest('find', function (work) {
    return this.tenant(work, { queries: 1 })
  })
  app.decorateRequest('findPage', function (work, options) {
    return this.tenant(work, { queries: 2, ...options })
  })
  app.decorateRequest('platform', function (work, options) {
    if (!this.caller.is_superadmin) throw new Error('a platform transaction needs a superadmin')
    return db.platform({ ...contextOf(this.caller), organizationId: null }, work, {
      repeatable: isRead(this),
      ...options,
    })
  })
  app.decorateRequest('public', (work) => db.public(work))
  app.decorateRequest('findPublic', (work) => db.public(work, { queries: 1 }))
  app.decorateRequest('service', function (organizationId, work) {
    const { service } = this.routeOptions.config
    if (!service) throw new Error('The route does not declare to work as the service.')
    return db.service(organizationId, service.codes, work)
  })
  app.decorateRequest('serviceCreate', function (reply, organizationId, work) {
    const run = <Result>(one: Work<ServiceTx, Result>) => this.service(organizationId, one)
    return createOnce(this, reply, run, visitorIdempotency(this, organizationId), work)
  })
  app.decorateRequest('tenantCreate', function (reply, work) {
    return createOnce(this, reply, (run) => this.tenant(run), idempotency(this, this.caller.organization_id), work)
  })
  app.decorateRequest('platformCreate', function (reply, work) {
    return createOnce(this, reply, (run) => this.platform(run), idempotency(this, null), work)
  })
  app.decorateRequest('audit', function (tx, entry, organizationId) {
    const actor = actorOf(this, this.caller, organizationId)
    // Text about actions of a patient is encrypted under the patient's own key.
    const own = actor.type === 'patient' ? (this.caller.patient_profile_id ?? this.caller.profile_ids?.[0]) : undefined
    const patientProfileId = entry.patientProfileId ?? own
    return auditLog.write(tx, actor, patientProfileId === undefined ? entry : { ...entry, patientProfileId })
  })

  const idempotency = (request: FastifyRequest, organizationId: string | null) => ({
    box,
    fingerprintKey: config.BLIND_INDEX_KEY,
    organizationId,
    principalId: request.caller.principal_id,
    onStoreFailure: (error: unknown) => request.log.error({ err: error }, 'idempotency store failed'),
  })
  /** Visitors have no principal; those of different networks never get each other's answers. */
  const visitorIdempotency = (request: FastifyRequest, organizationId: string) => ({
    box,
    fingerprintKey: config.BLIND_INDEX_KEY,
    organizationId,
    principalId: NIL_UUID,
    client: blindIndex(config.BLIND_INDEX_KEY, VISITORS, networkOf(request.ip)).toString('base64url'),
    onStoreFailure: (error: unknown) => request.log.error({ err: error }, 'idempotency store failed'),
  })

  app.addHook('onRequest', async (request, reply) => {
    await authorize(request, reply)
    if (request[CALLER]) await traceRead(request, request[CALLER])
  })
  // Rights may be revoked while a slow body arrives: check them again before the work starts.
  app.addHook('preValidation', authorizeAgain)

  const countedAs = ({ principal_id, organization_id, is_superadmin }: Caller): CountedCaller => ({
    principalId: principal_id,
    organization:
      organization_id === null || is_superadmin
        ? undefined
        : { id: organization_id, perMinute: organizationLimit(organization_id) },
  })

  async function authorizeAgain(request: FastifyRequest): Promise<void> {
    if (request[CALLER] && performance.now() - request[AUTHORIZED_AT] > SLOW_BODY_MS) await authorize(request)
  }

  /** With a reply the request is counted by the rate limits. */
  async function authorize(request: FastifyRequest, reply?: FastifyReply): Promise<void> {
    const { access } = request.routeOptions.config
    if (access === undefined || access.kind === 'public') return
    const identified = await identifyCaller(request, identification).catch(async (error: unknown) => {
      const isSignIn = error instanceof ApiError && error.code === unauthenticated.code
      if (reply && isSignIn) await app.rateLimits.countFailedSignIn(request, reply)
      throw error
    })
    if (reply) await app.rateLimits.countCaller(reply, countedAs(identified))
    checkOrganization(request, identified)
    const caller = await checkRequiredConsents(request, identified, db)
    request[CALLER] = caller
    checkAccess(request, caller)
    await checkFeatureConsent(request, caller, db)
    request[AUTHORIZED_AT] = performance.now()
  }
}
