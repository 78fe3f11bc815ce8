import type { WebApp } from '@tendon/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** first-load.json, written by the build of an app. */
interface FirstLoadTable {
  /** Files by language. */
  texts: Record<string, string[]>
  /** On every page of a clinic. */
  always: Read[]
  /** By the path after the clinic's slug. */
  pages: Record<string, { files: string[]; is_public: boolean; reads: Read[] }>
}

interface Read {
  route: string
  params?: Record<string, string>
  query?: Record<string, string | number>
}

interface Clinic {
  id: string
  slug: string
}

interface Me {
  data: {
    language: string
    current_organization: Clinic | null
    memberships: { organization: Clinic }[]
    patient_records: { organization: Clinic }[]
  }
}

interface PageRequest {
  name: WebApp
  /** Below the app. */
  path: string
  /** The text of first-load.json. */
  table: string | undefined
  request: FastifyRequest
}

const NOTHING: FirstLoadTable = { texts: {}, always: [], pages: {} }

/** Determines what a page needs first: who is signed in, its files, and the responses to its first reads. */
export function createFirstLoad(app: Pick<FastifyInstance, 'inject'>) {
  async function get<Answer>(
    name: WebApp,
    request: FastifyRequest,
    url: string,
    organization?: string,
  ): Promise<Answer | null> {
    const { cookie } = request.headers
    const headers = {
      'x-tendon-web': name,
      'x-request-id': request.id,
      ...(cookie === undefined ? {} : { cookie }),
      ...(organization === undefined ? {} : { 'x-organization-id': organization }),
    }
    const answer = await app.inject({ method: 'GET', url, remoteAddress: request.ip, headers })
    return answer.statusCode === 200 ? answer.json<Answer>() : null
  }

  /** The response of /v1/me in the clinic of the URL; null when nobody is signed in. */
  async function whoIsSignedIn(name: WebApp, slug: string, request: FastifyRequest): Promise<Me | null> {
    if (!request.headers.cookie?.includes(`tendon_${name}=`)) return null
    const first = await get<Me>(name, request, '/v1/me')
    const wanted = first && clinicsOf(first).find((clinic) => clinic.slug === slug)
    if (!wanted || wanted.id === first.data.current_organization?.id) return first
    return get<Me>(name, request, '/v1/me', wanted.id)
  }

  return async ({ name, path, table, request }: PageRequest) => {
    const { texts, always, pages } = table === undefined ? NOTHING : (JSON.parse(table) as FirstLoadTable)
    const [slug = '', ...rest] = path.replace(/\/$/, '').split('/')
    const me = await whoIsSignedIn(name, slug, request)
    const clinic = me?.data.patient_records.find(({ organization }) => organization.slug === slug)?.organization
    const known = pages[rest.join('/')]
    const page = slug !== '' && (clinic || known?.is_public) ? known : undefined
    const asked = slug === '' ? [] : [...always, ...(page?.reads ?? [])].map((read) => ofClinic(read, slug))
    const answers = await Promise.all(
      asked.map(async (read) => ({ ...read, answer: await get(name, request, urlOf(read), clinic?.id) })),
    )
    return {
      me,
      reads: answers.filter(({ answer }) => answer !== null),
      files: [...(texts[me?.data.language ?? languageOf(request)] ?? []), ...(page?.files ?? [])].map(
        (file) => `/${name}/${file}`,
      ),
    }
  }
}

const clinicsOf = ({ data }: Me): Clinic[] =>
  [...data.memberships, ...data.patient_records].map(({ organization }) => organization)

const ofClinic = ({ params, query, ...read }: Read, slug: string): Read => ({
  ...read,
  ...(params && { params: withSlug(params, slug) }),
  ...(query && { query: withSlug(query, slug) }),
})

const withSlug = <Value>(values: Record<string, Value>, slug: string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '{slug}' ? slug : value]))

function urlOf({ route, params = {}, query = {} }: Read): string {
  const path = route
    .replace('GET ', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** While nobody is signed in, the same choice as in the app: the cookie, otherwise the browser's language. */
function languageOf({ headers: { cookie = '', 'accept-language': wishes = '' } }: FastifyRequest): string {
  const chosen = /(?:^|; )language=(en|ro)\b/.exec(cookie)?.[1]
  return chosen ?? /(?:^|,\s*)(en|ro)\b/.exec(wishes)?.[1] ?? 'en'
}
