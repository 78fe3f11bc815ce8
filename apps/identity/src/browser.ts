// A minimal browser for sign-in tests: cookies with their paths, redirects followed manually.
import { createHash, randomBytes } from 'node:crypto'
import { WEB_CLIENT_ID } from './web-client.ts'

interface Cookie {
  name: string
  value: string
  path: string
}

export function createBrowser() {
  const cookies = new Map<string, Cookie>()

  function keep(header: string) {
    const [pair = '', ...attributes] = header.split(/;\s*/)
    const [name = '', value = ''] = pair.split('=', 2)
    const read = (key: string) =>
      attributes.find((attribute) => attribute.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
    const path = read('path') ?? '/'
    const expires = read('expires')
    if (expires && Date.parse(expires) < Date.now()) cookies.delete(`${name} ${path}`)
    else cookies.set(`${name} ${path}`, { name, value, path })
  }

  async function ask(url: string, form?: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(url)
    const sent = [...cookies.values()].filter(({ path }) => pathname.startsWith(path))
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const header of response.headers.getSetCookie()) keep(header)
    return response
  }

  /** Follows redirects on the same host; returns the last response and its URL. */
  async function visit(url: string, form?: Record<string, string>) {
    let at = url
    let response = await ask(at, form)
    for (;;) {
      const location = response.headers.get('location')
      const next = location ? new URL(location, at) : undefined
      if (next?.origin !== new URL(url).origin) return { response, at, left: next }
      at = next.href
      response = await ask(at)
    }
  }

  return { visit }
}

export type Browser = ReturnType<typeof createBrowser>

export function authorizationRequest(issuer: string, redirectUri: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: WEB_CLIENT_ID,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: redirectUri,
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return { url: `${issuer}/auth?${query.toString()}`, verifier, state: query.get('state') }
}

export interface Tokens {
  access_token: string
  id_token: string
  refresh_token: string
  expires_in: number
  scope: string
  error?: string
}

export async function askForTokens(issuer: string, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: WEB_CLIENT_ID, ...form })
  const response = await fetch(`${issuer}/token`, { method: 'POST', body })
  return { status: response.status, tokens: (await response.json()) as Tokens }
}
