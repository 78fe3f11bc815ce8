import { createHash } from 'node:crypto'
import { isUuid } from '@tendon/contracts'
import type { Database } from '@tendon/db'
import { notAMember, soleHeader, superadminOnly, unauthenticated, validationFailed } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { type Caller, patientInPath, urlOrganization } from './caller.ts'
import type { CallerCache, Found } from './caller-cache.ts'
import type { Session, SessionTokens } from './session-tokens.ts'
import { type CookieRules, readSessionCookie, type SessionCookie } from './web-session.ts'

/** The credentials of a request. */
interface Identification extends LookUps {
  sessionTokens: SessionTokens
  cookies: CookieRules
}

interface LookUps {
  db: Database
  callers: CallerCache
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' }
const API_KEY_PREFIX = 'tk_'
export const IMPERSONATION_PREFIX = 'ti_'

const FIND_CALLER = 'select * from find_caller($1, $2, $3, $4, $5, $6)'
// The rights of a session are those of its app: of a patient in the portal, of a member in the console.
const FIND_SESSION_CALLER = `select c.*, s.id as session_id, s.is_stale, s.ends_in_ms from find_web_session($1, $2) s
  cross join lateral find_caller(s.issuer, s.subject, $3, $4, $5, $6, $2) c`
const TOUCH_SESSION = 'select touch_web_session($1)'
const FIND_IMPERSONATED_CALLER = 'select * from find_impersonated_caller($1)'
const FIND_SERVICE_CALLER = 'select * from find_service_caller($1)'
const JOIN_ORGANIZATION = 'select join_organization($1, $2)'
const PROVISION_HUMAN = 'select provision_human($1, $2, $3, $4, $5)'

export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Steps 1 and 2 of the specification's order: who is it, and in which organization. */
export async function identifyCaller(request: FastifyRequest, identification: Identification): Promise<Caller> {
  const { db } = identification
  const token = bearerToken(request)
  if (token?.startsWith(API_KEY_PREFIX) || token?.startsWith(IMPERSONATION_PREFIX)) {
    const hash = hashApiKey(token)
    // The use of a key is recorded in its row, where another request with the same key may have to wait.
    const [found] = token.startsWith(API_KEY_PREFIX)
      ? await db.call<CallerRow>(FIND_SERVICE_CALLER, [hash])
      : await db.lookUp<CallerRow>(FIND_IMPERSONATED_CALLER, [hash])
    const caller = known(found)
    if (!caller) throw unauthenticated({}, WWW_AUTHENTICATE)
    const named = headerOrganization(request)
    if (named !== null && named !== caller.organization_id) throw notAMember()
    return caller
  }
  const named = headerOrganization(request)
  const caller = await findPerson(request, identification, {
    headerOrg: named,
    urlOrg: urlOrganization(request),
    patientData: request.routeOptions.config.patientData === true,
    patientId: patientInPath(request),
  })
  if (named !== null && caller.organization_id === null && !caller.is_superadmin) throw notAMember()
  if (caller.joined !== false || request.routeOptions.config.invitation === 'waits') return caller
  await db.call(JOIN_ORGANIZATION, [caller.principal_id, caller.organization_id])
  return { ...caller, joined: true }
}

/** The same human in another organization of theirs; undefined when it is not theirs. */
export async function identifyCallerIn(
  request: FastifyRequest,
  identification: Identification,
  organizationId: string,
): Promise<Caller | undefined> {
  const caller = await findPerson(request, identification, { headerOrg: organizationId })
  return caller.organization_id === null ? undefined : caller
}

/** By token or, when no Authorization header was sent, by the session cookie of a web app. */
async function findPerson(request: FastifyRequest, identification: Identification, place: Place): Promise<Caller> {
  const { sessionTokens, cookies } = identification
  const cookie = request.headers.authorization === undefined ? readSessionCookie(request, cookies) : undefined
  if (cookie) return findSignedIn(identification, cookie, place)
  return findHuman(identification, await sessionOf(bearerToken(request), sessionTokens), place)
}

export async function findSignedIn(
  { db, callers }: LookUps,
  { app, hash }: SessionCookie,
  place: Place,
): Promise<Caller> {
  const key = JSON.stringify(['session', hash.toString('base64'), app, place.headerOrg])
  const caller = await callers.find(key, async (): Promise<Found | undefined> => {
    const [found] = await db.lookUp<CallerRow>(FIND_SESSION_CALLER, [hash, app, ...valuesOf(place)])
    if (!found || !known(found)) return undefined
    const { session_id, is_stale, ends_in_ms, ...caller } = found
    if (is_stale === true) await db.call(TOUCH_SESSION, [session_id])
    return { caller: { ...caller, web_session: { id: String(session_id), app } }, endsInMs: Number(ends_in_ms) }
  })
  if (!caller) throw unauthenticated({}, WWW_AUTHENTICATE)
  if (app === 'platform' && !caller.is_superadmin) throw superadminOnly()
  return caller
}

async function sessionOf(token: string | undefined, sessionTokens: SessionTokens): Promise<Session> {
  const session = token === undefined ? undefined : await sessionTokens.verify(token)
  if (!session) throw unauthenticated({}, WWW_AUTHENTICATE)
  return session
}

type CallerRow = Caller & Record<string, unknown>

const known = (row: CallerRow | undefined): Caller | undefined => (row?.principal_id ? row : undefined)

interface Place {
  headerOrg: string | null
  urlOrg?: string | null
  patientData?: boolean
  patientId?: string | null
}

const valuesOf = ({ headerOrg, urlOrg = null, patientData = false, patientId = null }: Place) => [
  headerOrg,
  urlOrg,
  patientData,
  patientId,
]

async function findHuman({ db, callers }: LookUps, session: Session, place: Place): Promise<Caller> {
  const values = [session.issuer, session.subject, ...valuesOf(place)]
  const find = () =>
    callers.find(JSON.stringify(['token', session.issuer, session.subject, place.headerOrg]), async () => {
      const caller = known((await db.lookUp<CallerRow>(FIND_CALLER, values))[0])
      return caller && { caller }
    })
  const caller = session.provisioned ? await find() : undefined
  if (caller) return caller
  await db.call(PROVISION_HUMAN, [session.issuer, session.subject, session.email, session.emailVerified, session.name])
  session.provisioned = true
  const provisioned = await find()
  if (!provisioned) throw new Error('a provisioned human was not found')
  return provisioned
}

function bearerToken(request: FastifyRequest): string | undefined {
  const { value } = soleHeader(request, 'authorization')
  return /^Bearer ([\w.~+/=-]+)$/i.exec(value ?? '')?.[1]
}

function headerOrganization(request: FastifyRequest): string | null {
  const { value, repeated } = soleHeader(request, 'x-organization-id')
  if (value === undefined && !repeated) return null
  if (!isUuid(value))
    throw validationFailed({
      fields: { 'X-Organization-ID': 'must be the id of one organization (a UUID), given once' },
    })
  return value.toLowerCase()
}
