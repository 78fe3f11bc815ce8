import type { WebApp } from '@tendon/contracts'
import type { Answer, TestCore } from '../../../testing/core.ts'
import type { TestPerson, TestProvider } from './provider.testing.ts'

/** Keeps cookies and follows the sign-in, as a browser does. */
export function openBrowser(core: TestCore, provider: TestProvider, app: WebApp) {
  const cookies = new Map<string, string>()

  function keep(answer: Answer): Answer {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const sent = { cookie: cookieHeader(), 'x-tendon-web': app, 'sec-fetch-site': 'same-origin', ...headers }
    const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
    return keep(await core.call(method, path, { headers: kept, ...(body === undefined ? {} : { body }) }))
  }

  const navigate = async (path: string) =>
    keep(await core.call('GET', path, { headers: { cookie: cookieHeader(), 'sec-fetch-site': 'cross-site' } }))

  return {
    cookies,
    navigate,
    get: (path: string, headers: Record<string, string> = {}) => request('GET', path, { headers }),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      request('POST', path, { body, headers }),
    patch: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      request('PATCH', path, { body, headers }),
    delete: (path: string, headers: Record<string, string> = {}) => request('DELETE', path, { headers }),
    /** Up to the page that the sign-in ends on. */
    async signIn(person: TestPerson, to?: string): Promise<Answer> {
      const query = new URLSearchParams({ app, ...(to === undefined ? {} : { to }) })
      const left = await navigate(`/auth/sign-in?${query.toString()}`)
      return navigate(provider.approve(left.headers.get('location') ?? '', person))
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>
