import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from '@tendon/testing'
import { Provider } from 'oidc-provider'

const SCOPES = ['openid', 'email', 'https://www.googleapis.com/auth/calendar.freebusy']

/** A third party with a calendar: a real OpenID provider that rotates refresh tokens, where ana@mail.example always agrees. */
export async function startThirdParty(redirectUri: string) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${portOf(server)}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(base, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k' }] },
    clients: [
      {
        client_id: 'tendon',
        client_secret: 'canary-client-secret',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: SCOPES,
    claims: { openid: ['sub'], email: ['email'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, email: 'ana@mail.example' }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    cookies: { keys: ['third party'] },
    ttl: { AccessToken: 3_600 },
  })
  const state = {
    asked: [] as string[],
    busy: [] as { start: string; end: string }[],
    refuses: false,
    /** What the token endpoint answers instead of tokens. */
    tokenStatus: undefined as number | undefined,
    /** How the calendar refuses. */
    calendarStatus: 401,
  }

  async function agree(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, reply)
    if (prompt.name === 'login') return provider.interactionFinished(request, reply, { login: { accountId: 'ana' } })
    const grant = new provider.Grant({ accountId: session?.accountId ?? 'ana', clientId: String(params.client_id) })
    grant.addOIDCScope(SCOPES.join(' '))
    const grantId = await grant.save()
    return provider.interactionFinished(request, reply, { consent: { grantId } }, { mergeWithLastSubmission: true })
  }

  async function calendar(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
    const known = await provider.AccessToken.find(token)
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { items: { id: string }[] }
    reply.statusCode = known && !state.refuses ? 200 : state.calendarStatus
    reply.end(JSON.stringify({ calendars: { [body.items[0]?.id ?? '']: { busy: state.busy } } }))
  }

  const handle = provider.callback()
  server.on('request', (request, reply) => {
    const path = request.url ?? ''
    state.asked.push(`${request.method} ${path.split('?', 1)[0]}`)
    if (path.startsWith('/interaction/')) void agree(request, reply)
    else if (path === '/calendar/freeBusy') void calendar(request, reply)
    else if (path === '/token' && state.tokenStatus !== undefined) reply.writeHead(state.tokenStatus).end()
    else void handle(request, reply)
  })

  return {
    base,
    state,
    provider,
    /** The provider row of the platform that points here. */
    row: {
      config: {
        issuer: base,
        authorization_endpoint: `${base}/auth`,
        token_endpoint: `${base}/token`,
        revocation_endpoint: `${base}/token/revocation`,
        api_url: `${base}/calendar`,
      },
      credentials: { client_id: 'tendon', client_secret: 'canary-client-secret' },
    },
    /** A browser that follows the authorization URL to its end: the URL of our callback. */
    async browse(url: string): Promise<URL> {
      const cookies = new Map<string, string>()
      let next = new URL(url)
      for (let step = 0; step < 15 && next.href.startsWith(base); step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`${answer.status} at ${next.pathname}: ${await answer.text()}`)
        next = new URL(location, next)
      }
      return next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type ThirdParty = Awaited<ReturnType<typeof startThirdParty>>
