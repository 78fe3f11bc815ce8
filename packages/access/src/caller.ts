import { createHash } from 'node:crypto'
import { isUuid, type WebApp } from '@tendon/contracts'
import { type Context, type Database, NIL_UUID } from '@tendon/db'
import {
  type Access,
  breakGlassReadOnly,
  breakGlassRequired,
  forbidden,
  impersonationReadOnly,
  membershipRequired,
  notAMember,
  notFound,
  organizationMismatch,
  organizationNotFound,
  organizationParameter,
  patientParameter,
  patientsOnly,
  soleHeader,
  superadminOnly,
  textIn,
  unauthenticated,
  validationFailed,
} from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { resolveLanguage } from './language.ts'
import type { Session, SessionTokens } from './session-tokens.ts'
import { type CookieRules, readSessionCookie, type SessionCookie } from './web-session.ts'

/** Who calls, in which organization, with which rights. Read for every request, so that revoked rights are gone. */
export interface Caller {
  principal_id: string
  kind: 'human' | 'service'
  name: string | null
  email: string | null
  email_verified: boolean
  preferred_language: string | null
  is_superadmin: boolean
  /** null: no organization in context. */
  organization_id: string | null
  organization_language: string | null
  role_id: string | null
  /** The role of the actor: under impersonation, that of the staff member. */
  role_name: string | null
  /** False until the member's first request in the organization: until then the clinic sees only the e-mail address it entered. */
  joined: boolean | null
  /** '*' or ',code,code,': the form that the database reads. */
  permissions: string | null
  /** The patient profiles of the human, at all clinics. */
  profile_ids: string[] | null
  /** Their record at the organization in context. */
  patient_id: string | null
  patient_profile_id: string | null
  /** The staff member who impersonates this patient. */
  impersonator_id: string | null
  impersonator_name: string | null
  /** The grant that lets a superadmin read the patient data of this request. */
  break_glass_id: string | null
  /** The session of a person who signed in to a web app; undefined when the request has a token. */
  web_session?: { id: string; app: WebApp }
}

/** The credentials of a request. */
interface Identification {
  db: Database
  sessionTokens: SessionTokens
  cookies: CookieRules
}

const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' }
const API_KEY_PREFIX = 'tk_'
export const IMPERSONATION_PREFIX = 'ti_'

const FIND_CALLER = 'select * from find_caller($1, $2, $3, $4, $5, $6)'
// The rights of a session are those of its app: of a patient in the portal, of a member in the console.
const FIND_SESSION_CALLER = `select c.*, s.id as session_id, s.is_stale from find_web_session($1, $2) s
  cross join lateral find_caller(s.issuer, s.subject, $3, $4, $5, $6, $2) c`
const TOUCH_SESSION = 'select touch_web_session($1)'
const FIND_IMPERSONATED_CALLER = 'select * from find_impersonated_caller($1)'
const FIND_SERVICE_CALLER = 'select * from find_service_caller($1)'
const JOIN_ORGANIZATION = 'select join_organization($1, $2)'
const PROVISION_HUMAN = 'select provision_human($1, $2, $3, $4, $5)'

export function holds(caller: Caller, code: string): boolean {
  return caller.permissions === '*' || (caller.permissions?.includes(`,${code},`) ?? false)
}

/** Without an organization the context is the nil UUID: row-level security then gives no rows. */
export function contextOf(caller: Caller): Context {
  return {
    principalId: caller.principal_id,
    organizationId: caller.organization_id ?? NIL_UUID,
    permissions: caller.permissions ?? '',
    language: resolveLanguage(caller.preferred_language, caller.organization_language),
    profileIds: caller.profile_ids ?? [],
  }
}

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
  const { db, sessionTokens, cookies } = identification
  const cookie = request.headers.authorization === undefined ? readSessionCookie(request, cookies) : undefined
  if (cookie) return findSignedIn(db, cookie, place)
  return findHuman(db, await sessionOf(bearerToken(request), sessionTokens), place)
}

export async function findSignedIn(db: Database, { app, hash }: SessionCookie, place: Place): Promise<Caller> {
  const { headerOrg, urlOrg = null, patientData = false, patientId = null } = place
  const values = [hash, app, headerOrg, urlOrg, patientData, patientId]
  const [found] = await db.lookUp<CallerRow>(FIND_SESSION_CALLER, values)
  const caller = known(found)
  if (!found || !caller) throw unauthenticated({}, WWW_AUTHENTICATE)
  const { session_id, is_stale, ...rest } = found
  if (is_stale === true) await db.call(TOUCH_SESSION, [session_id])
  if (app === 'platform' && !caller.is_superadmin) throw superadminOnly()
  return { ...rest, web_session: { id: String(session_id), app } }
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

async function findHuman(db: Database, session: Session, place: Place): Promise<Caller> {
  const { headerOrg, urlOrg = null, patientData = false, patientId = null } = place
  const values = [session.issuer, session.subject, headerOrg, urlOrg, patientData, patientId]
  const find = async () => known((await db.lookUp<CallerRow>(FIND_CALLER, values))[0])
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

/** The id in the URL of an organization's route group; null elsewhere. A malformed one is a 404. */
function urlOrganization(request: FastifyRequest): string | null {
  const parameter = organizationParameter(request.routeOptions.url ?? '')
  if (parameter === undefined) return null
  const named = textIn(request.params, parameter)
  if (!isUuid(named)) throw notFound()
  return named.toLowerCase()
}

/** The patient in the URL, or null. */
export function patientInPath(request: FastifyRequest): string | null {
  const parameter = patientParameter(request.routeOptions.url ?? '')
  const named = parameter === undefined ? undefined : textIn(request.params, parameter)
  return isUuid(named) ? named.toLowerCase() : null
}

/** Step 3: the organization in the URL is the current one. */
export function checkOrganization(request: FastifyRequest, caller: Caller): void {
  const urlOrg = urlOrganization(request)
  if (urlOrg !== null && caller.organization_id !== urlOrg) {
    throw caller.is_superadmin ? organizationNotFound() : organizationMismatch()
  }
}

/** A patient on a route that staff and patients share: access follows ownership of rows. */
export const comesAsPatient = (access: Access | undefined, caller: Caller): boolean =>
  access?.kind === 'permission' &&
  access.orPatient === true &&
  caller.patient_id !== null &&
  !holds(caller, access.code)

/** Step 4: the route's declared access; read-only callers; break-glass. */
export function checkAccess(request: FastifyRequest, caller: Caller): void {
  const { access, patientData } = request.routeOptions.config
  if (caller.impersonator_id !== null && !isRead(request)) throw impersonationReadOnly()
  if (access?.kind === 'superadmin' && !caller.is_superadmin)
    throw superadminOnly(access.code === undefined ? {} : { required: access.code })
  if (access?.kind === 'patient' && !caller.profile_ids?.length) throw patientsOnly()
  if (access?.kind === 'membership' && caller.role_id === null && !caller.is_superadmin) throw membershipRequired()
  if (access?.kind === 'permission' && !holds(caller, access.code) && !comesAsPatient(access, caller))
    throw forbidden({ required: access.code })
  if (patientData && caller.is_superadmin) checkBreakGlass(request, caller)
}

/** A superadmin can only read patient data, and only with break-glass. find_caller returns the grant that covers the request. */
function checkBreakGlass(request: FastifyRequest, caller: Caller): void {
  if (caller.break_glass_id === null) throw breakGlassRequired()
  if (!isRead(request)) throw breakGlassReadOnly()
}

export const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
