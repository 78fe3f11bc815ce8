import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { AuditLog, SYSTEM, systemContext } from '@tendon/access'
import {
  AuthorizationUrl,
  ById,
  IntegrationParams,
  NewAuthorization,
  NewReauthorization,
  OauthCallbackParams,
  One,
} from '@tendon/contracts'
import { existing } from '@tendon/db'
import { permission, publicAccess } from '@tendon/http'
import { parse, serialize } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { changeStatus, sealCredentials } from './connections.ts'
import {
  connectorNotRegistered,
  integrationNotFound,
  integrationRevoked,
  invalidConfig,
  notAnOauthService,
  oauthStateInvalid,
  providerFailure,
  serviceNotFound,
  titleTaken,
} from './errors.ts'
import { GrantRejected, oauthClientOf, type Tokens } from './oauth-client.ts'
import { insertState, type SpentState, spendState } from './oauth-queries.ts'
import {
  findIntegration,
  findIntegrationForUpdate,
  findService,
  insertIntegration,
  updateIntegration,
} from './queries.ts'
import { targetOf } from './routes.ts'
import { resultPath } from './rules.ts'
import { checkedConfig, serviceOf, toolsOf } from './validating.ts'

const access = permission('organizations.manage_integrations')
const STATE_MINUTES = 10
const COOKIE = 'oauth_state'
const CALLBACK_PATH = '/oauth/callback'
const DEFAULT_RETURN_PATH = '/'

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const secret = () => randomBytes(32).toString('base64url')
const verifierPlace = (organizationId: string, state: string) => ({
  table: 'oauth_states',
  column: 'verifier_encrypted',
  organization_id: organizationId,
  row: hashOf(state).toString('hex'),
})

export const integrationOauthRoutes: Routes = (app, services) => {
  const { config: settings, box, db, now } = services
  const auditLog = new AuditLog(box)
  const origins = [settings.publicUrl, ...settings.WEB_ORIGINS].map((url) => new URL(url).origin)

  /** The host where the request came in, if it is one of ours: the cookie is set there. */
  const originOf = (request: FastifyRequest) =>
    origins.find((origin) => new URL(origin).host === request.host) ?? new URL(settings.publicUrl).origin

  /** The URL at the provider where a person agrees, and the cookie that binds the round trip to their browser. */
  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { provider, scopes }: { provider: string; scopes: string[] },
    returnPath: string,
    store: (insert: (integrationId: string) => Parameters<typeof insertState>[1]) => Promise<string>,
  ) {
    const client = await oauthClientOf(services, provider)
    const [state, verifier, cookie] = [secret(), secret(), secret()]
    const redirect_uri = `${originOf(request)}${CALLBACK_PATH}/${provider}`
    const organizationId = request.caller.organization_id ?? ''
    const integration_id = await store((integrationId) => ({
      state_hash: hashOf(state),
      integration_id: integrationId,
      principal_id: request.caller.principal_id,
      cookie_hash: hashOf(cookie),
      verifier_encrypted: box.seal(verifier, verifierPlace(organizationId, state)),
      redirect_uri,
      return_path: returnPath,
      expires_at: new Date(now().getTime() + STATE_MINUTES * 60_000).toISOString(),
    }))
    const secure = redirect_uri.startsWith('https:')
    const options = {
      path: CALLBACK_PATH,
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: STATE_MINUTES * 60,
    } as const
    reply.header('set-cookie', serialize(COOKIE, cookie, options))
    return {
      data: {
        authorization_url: await client.authorizationUrl({ redirect_uri, state, verifier, scopes }),
        integration_id,
      },
    }
  }

  app.post(
    '/v1/organizations/:id/integrations/authorize',
    {
      config: {
        access,
        latency: 'complex_write',
        operationId: 'authorizeIntegration',
        summary: 'Start connecting a service by signing in to it',
        description:
          'Returns the URL at the provider and sets a cookie that must come back with the browser. The integration is `pending` for at most 30 minutes.',
        refusals: [
          serviceNotFound,
          notAnOauthService,
          connectorNotRegistered,
          invalidConfig,
          titleTaken,
          providerFailure,
        ],
      },
      schema: { params: ById, body: NewAuthorization, response: { 200: One(AuthorizationUrl) } },
    },
    async (request, reply) => {
      const { service_slug, title, return_path = DEFAULT_RETURN_PATH } = request.body
      const { service, connector } = await serviceOf(request, service_slug)
      const { provider, scopes } = service
      if (provider === null) throw notAnOauthService()
      const config = await checkedConfig(service, connector, request.body.config ?? {}, toolsOf(request, services))
      return begin(request, reply, { provider, scopes }, return_path, (stateOf) =>
        request.tenant(async (tx) => {
          const created = await insertIntegration(tx, {
            id: randomUUID(),
            service_slug,
            title,
            config,
            status: 'pending',
          })
          await insertState(tx, stateOf(created.id))
          await request.audit(tx, { action: 'integrations.authorize', crud: 'C', target: targetOf(created) })
          return created.id
        }),
      )
    },
  )

  app.post(
    '/v1/organizations/:id/integrations/:integrationId/authorize',
    {
      config: {
        access,
        latency: 'complex_write',
        operationId: 'reauthorizeIntegration',
        summary: 'Start connecting a service again',
        refusals: [integrationNotFound, integrationRevoked, notAnOauthService, connectorNotRegistered, providerFailure],
      },
      schema: { params: IntegrationParams, body: NewReauthorization, response: { 200: One(AuthorizationUrl) } },
    },
    async (request, reply) => {
      const known = await request.find((tx) => findIntegration(tx, request.params.integrationId))
      if (!known) throw integrationNotFound()
      if (known.status === 'revoked') throw integrationRevoked()
      const { service } = await serviceOf(request, known.service_slug)
      const { provider, scopes } = service
      if (provider === null) throw notAnOauthService()
      return begin(request, reply, { provider, scopes }, request.body.return_path ?? DEFAULT_RETURN_PATH, (stateOf) =>
        request.tenant(async (tx) => {
          await insertState(tx, stateOf(known.id))
          await request.audit(tx, { action: 'integrations.authorize', crud: 'U', target: targetOf(known) })
          return known.id
        }),
      )
    },
  )

  app.get(
    `${CALLBACK_PATH}/:provider`,
    {
      config: {
        access: publicAccess(),
        latency: 'complex_write',
        operationId: 'finishAuthorization',
        summary: 'Return from the sign-in of a provider',
        description:
          'Where the provider sends the browser. Stores the tokens and redirects to `return_path` with `status`, or with `error`.',
        refusals: [oauthStateInvalid],
      },
      schema: { params: OauthCallbackParams },
    },
    async (request, reply) => {
      const url = new URL(request.url, settings.publicUrl)
      const state = url.searchParams.get('state') ?? ''
      const cookie = parse(request.headers.cookie ?? '')[COOKIE] ?? ''
      const spent = await request.findPublic((tx) => spendState(tx, hashOf(state), hashOf(cookie), now()))
      if (!spent) throw oauthStateInvalid()
      const result = await finish(spent, request, url, state)
      reply.header('set-cookie', serialize(COOKIE, '', { path: CALLBACK_PATH, httpOnly: true, maxAge: 0 }))
      return reply.code(303).header('location', resultPath(spent.return_path, result)).send(null)
    },
  )

  /** Acts as the principal in the state. Errors redirect to the page that started the connection. */
  async function finish(
    spent: SpentState,
    request: FastifyRequest,
    url: URL,
    state: string,
  ): Promise<Record<string, string>> {
    const { organization_id: organizationId, integration_id: id, principal_id: principalId } = spent
    if (!spent.holds) return { error: 'permission_lost' }
    const context = { ...systemContext(organizationId), principalId }
    const service = await db.tenant(context, (tx) => findService(tx, spent.service_slug))
    const { provider } = request.params as { provider: string }
    if (service?.provider !== provider) return { error: 'oauth_state_invalid' }
    if (url.searchParams.has('error')) return { error: 'access_denied' }
    let tokens: Tokens
    try {
      const client = await oauthClientOf(services, provider)
      const callback = new URL(spent.redirect_uri)
      callback.search = url.search
      const verifier = box.open(spent.verifier_encrypted, verifierPlace(organizationId, state)).toString()
      tokens = await client.exchange(callback, { state, verifier })
    } catch (error) {
      request.log.warn({ err: error, integration: id }, 'the provider did not give tokens')
      return { error: error instanceof GrantRejected ? 'invalid_grant' : 'provider_failure' }
    }
    return db.tenant(context, async (tx) => {
      const before = await findIntegrationForUpdate(tx, id)
      if (!before || before.status === 'revoked') return { error: 'integration_revoked' }
      const { access_token, refresh_token, expires_at, scopes, account } = tokens
      await updateIntegration(tx, id, {
        status: 'connected',
        credentials_encrypted: sealCredentials(box, organizationId, id, {
          access_token,
          ...(refresh_token ? { refresh_token } : {}),
        }),
        token_expires_at: expires_at,
        scopes,
        external_account_id: account?.id ?? null,
        external_account_label: account?.label ?? null,
        connected_at: now().toISOString(),
        failure_count: 0,
      })
      const after = existing(await findIntegration(tx, id))
      const actor = { ...SYSTEM, type: 'user' as const, principalId, organizationId, requestId: request.id }
      const changes = [{ field: 'credentials', before: before.has_credentials ? 'set' : null, after: 'changed' }]
      await auditLog.write(tx, actor, { action: 'integrations.connect', crud: 'U', target: targetOf(after), changes })
      if (before.status !== 'connected') await changeStatus(tx, id, before.status, 'connected', 'authorized')
      return { status: 'connected' }
    })
  }
}
