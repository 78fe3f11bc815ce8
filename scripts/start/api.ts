import type { Config } from '@tendon/config'
import { mintSessionToken } from '../../apps/identity/src/session-token.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** An unexpected error response. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly body: Json
  constructor(what: string, status: number, text: string) {
    super(`${what} answered ${status}: ${text}`)
    this.status = status
    this.body = text.startsWith('{') ? JSON.parse(text) : undefined
  }
}

/** Returns a token of the person with this e-mail. */
export type TokenOf = (email: string) => Promise<string>

const TOKEN_REUSE_MS = 30 * 60_000

/** Tokens of the local identity provider, which accepts everybody. */
export function localTokens(config: Config, nameOf: (email: string) => string | undefined): TokenOf {
  const { DATA_DIR: dataDir, issuer, AUTH_AUDIENCE: audience } = config
  const minted = new Map<string, { token: Promise<string>; until: number }>()
  return (email) => {
    const known = minted.get(email)
    if (known && known.until > Date.now()) return known.token
    const name = nameOf(email)
    const token = mintSessionToken({ dataDir, issuer, audience, email, ...(name ? { name } : {}) })
    minted.set(email, { token, until: Date.now() + TOKEN_REUSE_MS })
    return token
  }
}

interface ApiOptions {
  url: string
  tokenOf: TokenOf
  fetch?: typeof fetch
}

/** Calls the running API as a person of the local identity provider. */
export function createApi({ url, tokenOf, fetch: send = fetch }: ApiOptions) {
  async function call(method: string, path: string, email: string, body?: unknown): Promise<Json> {
    const response = await send(url + path, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(email)}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Refused(`${method} ${path}`, response.status, text)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    /** The whole response, for routes without `data`. */
    raw: (path: string, email: string): Promise<Json> => call('GET', path, email),
    rawPost: (path: string, email: string, body: unknown): Promise<Json> => call('POST', path, email, body),
    get: async (path: string, email: string): Promise<Json> => (await call('GET', path, email)).data,
    count: async (path: string, email: string): Promise<number> =>
      (await call('GET', `${path}?limit=1`, email)).pagination.total,
    post: async (path: string, email: string, body: unknown): Promise<Json> =>
      (await call('POST', path, email, body)).data,
    put: async (path: string, email: string, body: unknown): Promise<Json> =>
      (await call('PUT', path, email, body)).data,
    patch: async (path: string, email: string, body: unknown): Promise<Json> =>
      (await call('PATCH', path, email, body)).data,
  }
}

export type Api = ReturnType<typeof createApi>

/** Signs in a person with a patient record and accepts everything the consent gate asks for. */
export async function enterAsPatient(api: Api, email: string): Promise<void> {
  await api.raw('/v1/me', email)
  try {
    await api.raw('/v1/me/treatment-plans?limit=1', email)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 412) throw error
    const grants = error.body.error.missing_purposes.map(
      ({ organization_id, purpose_code, required_version }: Json) => ({
        organization_id,
        purpose_code,
        purpose_version: required_version,
        source: 'signup_checkbox',
      }),
    )
    await api.rawPost('/v1/me/consents', email, { grants })
  }
}
