import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { TestIssuer } from '@tendon/testing'
import { portOf } from '@tendon/testing'

// An identity provider with the endpoints of a sign-in. What it says can be bent, which the real one (apps/identity) cannot:
// that one is used by the browser tests.

export interface TestPerson {
  sub?: string
  email: string
  name?: string
}

export async function startProvider(keys: TestIssuer) {
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string; person: TestPerson }>()
  /** Changes to the next ID token. */
  const bend: { claims: Record<string, unknown> } = { claims: {} }
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration') {
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          end_session_endpoint: `${issuer}/end`,
        }),
      )
    } else if (request.url === '/token') {
      const form = new URLSearchParams(await textOf(request))
      const grant = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!grant || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) {
        response.writeHead(400).end('{"error":"invalid_grant"}')
        return
      }
      const id_token = await sign({ nonce: grant.nonce, ...claimsOf(grant.person), ...bend.claims })
      response.end(JSON.stringify({ token_type: 'Bearer', access_token: 'unused', id_token }))
    } else response.writeHead(404).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const sign = (claims: Record<string, unknown>) => keys.sign({ iss: issuer, aud: 'tendon-web', ...claims })
  const claimsOf = ({ sub = randomUUID(), email, name = 'Ana' }: TestPerson) => ({
    sub,
    email,
    email_verified: true,
    name,
    sid: randomUUID(),
  })

  return {
    issuer,
    sign,
    bend,
    /** What the person does at the provider: returns the path of the callback that the browser is sent to. */
    approve(authorizationUrl: string, person: TestPerson): string {
      const { searchParams } = new URL(authorizationUrl)
      const code = randomUUID()
      const redirectUri = searchParams.get('redirect_uri') ?? ''
      codes.set(code, {
        nonce: searchParams.get('nonce') ?? '',
        challenge: searchParams.get('code_challenge') ?? '',
        redirectUri,
        person,
      })
      const { pathname } = new URL(redirectUri)
      return `${pathname}?${new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }).toString()}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
