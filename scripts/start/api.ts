import type { Config } from '@tendon/config'
import { mintSessionToken } from '../../apps/identity/src/session-token.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Calls the running API as a person of the local identity provider. */
export function createApi(config: Config) {
  async function call(method: string, path: string, email: string, body?: unknown): Promise<Json> {
    const token = await mintSessionToken({
      dataDir: config.DATA_DIR,
      issuer: config.issuer,
      audience: config.AUTH_AUDIENCE,
      email,
    })
    const response = await fetch(config.publicUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Demo data: ${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    /** The whole answer, for those that have no `data`. */
    raw: (path: string, email: string): Promise<Json> => call('GET', path, email),
    get: async (path: string, email: string): Promise<Json> => (await call('GET', path, email)).data,
    count: async (path: string, email: string): Promise<number> =>
      (await call('GET', `${path}?limit=1`, email)).pagination.total,
    post: async (path: string, email: string, body: unknown): Promise<Json> =>
      (await call('POST', path, email, body)).data,
    put: async (path: string, email: string, body: unknown): Promise<Json> =>
      (await call('PUT', path, email, body)).data,
  }
}

export type Api = ReturnType<typeof createApi>
