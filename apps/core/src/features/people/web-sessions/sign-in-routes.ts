import { randomBytes } from 'node:crypto'
import {
  AuditLog,
  actorOf,
  contextOf,
  cookieRulesOf,
  findSignedIn,
  hashSessionId,
  KEEPS_NOTHING,
  newSessionId,
  replacedSession,
  SESSION_LIMITS,
  setSessionCookie,
} from '@tendon/access'
import { SignInCallbackQuery, SignInLocation, SignInQuery, SignInStart, type WebApp } from '@tendon/contracts'
import { NIL_UUID, type PlatformTx, type TenantTx } from '@tendon/db'
import { publicAccess } from '@tendon/http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../../feature.ts'
import { createSignInProvider } from '../../../platform/sign-in-provider.ts'
import { deleteWebSession, insertWebSession, provisionHuman } from './queries.ts'
import { appOfState, challengeOf, readAttempt, safePath, writeAttempt } from './rules.ts'
import { originOf } from './web-origin.ts'

const ATTEMPT_SECONDS = 10 * 60
const MAX_USER_AGENT_LENGTH = 300

interface WantedSignIn {
  app: WebApp
  to?: string
  login_hint?: string
  language?: string
}

export const signInRoutes: Routes = (app, { config, db, box, now }) => {
  const cookies = cookieRulesOf(config)
  const { secure } = cookies
  const provider = createSignInProvider(config)
  const auditLog = new AuditLog(box)
  const attemptCookie = (name: WebApp) => `${secure ? '__Host-' : ''}tendon_sign_in_${name}`

  function keepAttempt(reply: FastifyReply, name: WebApp, value: string | null): void {
    const cookie = { name: attemptCookie(name), value: value ?? '', maxAge: value === null ? 0 : ATTEMPT_SECONDS }
    reply.header('set-cookie', stringifySetCookie({ ...cookie, httpOnly: true, secure, sameSite: 'lax', path: '/' }))
  }

  /** The URL of the identity provider; the browser keeps the attempt in a cookie. */
  async function startSignIn(request: FastifyRequest, reply: FastifyReply, wanted: WantedSignIn): Promise<string> {
    const { app: name, to, login_hint: loginHint, language } = wanted
    const random = () => randomBytes(32).toString('base64url')
    const attempt = { state: `${name}.${random()}`, nonce: random(), verifier: random(), to: safePath(to, name) }
    const url = await provider.authorizationUrl({
      state: attempt.state,
      nonce: attempt.nonce,
      challenge: challengeOf(attempt.verifier),
      redirectUri: `${originOf(request, config)}/auth/callback`,
      loginHint,
      language,
    })
    keepAttempt(reply, name, writeAttempt(attempt))
    return url
  }

  app.get(
    '/auth/sign-in',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        summary: 'Sign in to a web app',
        description:
          'Sends the browser to the identity provider (authorization code with PKCE). `to` is the path to return to.',
      },
      schema: { querystring: SignInQuery },
    },
    async (request, reply) => {
      // A link of another site cannot name an address.
      const { app: name, to } = request.query
      return reply.redirect(await startSignIn(request, reply, { app: name, ...(to === undefined ? {} : { to }) }), 303)
    },
  )

  app.post(
    '/auth/sign-in',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        summary: 'Sign in to a web app with a known e-mail address',
        description:
          'Works like GET. `location` is the URL of the identity provider, which fills in `login_hint` and uses `language` if it can.',
      },
      schema: { body: SignInStart, response: { 200: SignInLocation } },
    },
    async (request, reply) => ({ location: await startSignIn(request, reply, request.body) }),
  )

  app.get(
    '/auth/callback',
    {
      config: {
        access: publicAccess(),
        limit: 'public_resolve',
        summary: 'Receive the response of the identity provider',
        description: 'Verifies the response, starts a session, sets its cookie and redirects to the web app.',
      },
      schema: { querystring: SignInCallbackQuery },
    },
    async (request, reply) => {
      const { code, state, error, iss } = request.query
      const name = appOfState(state)
      if (!name) return reply.redirect('/', 303)
      const attempt = readAttempt(parseCookie(request.headers.cookie ?? '')[attemptCookie(name)])
      keepAttempt(reply, name, null)
      const failed = (reason: string) => reply.redirect(`/${name}/?sign_in=${reason}`, 303)
      if (!attempt || attempt.state !== state) return failed('expired')
      if (error !== undefined || code === undefined) return failed(error === 'access_denied' ? 'cancelled' : 'failed')
      if (iss !== undefined && iss !== config.issuer) return failed('failed')
      const redirectUri = `${originOf(request, config)}/auth/callback`
      const signedIn = await provider.redeem(code, { ...attempt, redirectUri })
      if (!signedIn) return failed('failed')

      const { person, sessionId } = signedIn
      const id = newSessionId()
      const { idle, longest } = SESSION_LIMITS[name]
      await db.public(async (tx) => {
        await provisionHuman(tx, person)
        await insertWebSession(tx, {
          hash: hashSessionId(id),
          app: name,
          issuer: person.issuer,
          subject: person.subject,
          providerSession: sessionId,
          ip: request.ip,
          userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
          idleSeconds: idle,
          expiresAt: new Date(now().getTime() + longest * 1000),
        })
      })
      if (!(await noteSignIn(request, name, id))) {
        await db.public((tx) => deleteWebSession(tx, hashSessionId(id), name))
        return failed('not_operator')
      }
      const replaced = replacedSession(request, name, cookies)
      if (replaced) await db.public((tx) => deleteWebSession(tx, replaced.hash, name))
      setSessionCookie(reply, name, id, secure)
      return reply.redirect(safePath(attempt.to, name), 303)
    },
  )

  /** In the log about the person themself, outside of all clinics. False when the app is not for them. */
  async function noteSignIn(request: FastifyRequest, name: WebApp, id: string): Promise<boolean> {
    const cookie = { app: name, hash: hashSessionId(id) }
    const caller = await findSignedIn({ db, callers: KEEPS_NOTHING }, cookie, { headerOrg: null }).catch(() => null)
    if (!caller) return false
    const target = { type: 'web_session', id: caller.web_session?.id ?? null, label: name }
    const write = (tx: TenantTx | PlatformTx) =>
      auditLog.write(tx, actorOf(request, caller, null), { action: 'me.sign_in', crud: 'C', target })
    // The log of the platform: nothing of the clinic where they were last.
    const context = { ...contextOf(caller), organizationId: NIL_UUID }
    await (caller.is_superadmin ? db.platform({ ...context, organizationId: null }, write) : db.tenant(context, write))
    return true
  }
}
