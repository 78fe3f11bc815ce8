import { createHash } from 'node:crypto'
import type { Context, Database } from '@tendon/db'
import {
  breakGlassReadOnly,
  breakGlassRequired,
  forbidden,
  impersonationReadOnly,
  isOrganizationRoute,
  isUuid,
  notAMember,
  notFound,
  organizationMismatch,
  organizationNotFound,
  patientsOnly,
  soleHeader,
  superadminOnly,
  unauthenticated,
  validationFailed,
} from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import type { Session, SessionTokens } from './session-tokens.ts'

/** Who calls, in which organization, with which rights; read anew for every request, so rights taken away are gone. */
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
  /** False until the member's first request in the organization: the clinic then sees only what it typed itself. */
  joined: boolean | null
  /** '*' or ',code,code,': the form that the database reads. */
  permissions: string | null
  /** The patient profiles of the human, at whatever clinic. */
  profile_ids: string[] | null
  /** Their record at the organization in context. */
  patient_id: string | null
  patient_profile_id: string | null
  /** The staff member who looks through this patient's eyes. */
  impersonator_id: string | null
  impersonator_name: string | null
  /** Under which a superadmin reads a clinic's patients. */
  break_glass_id: string | null
  break_glass_patient_id: string | null
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' }
const API_KEY_PREFIX = 'tk_'
export const IMPERSONATION_PREFIX = 'ti_'

const FIND_CALLER = 'select * from find_caller($1, $2, $3, $4)'
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
    profileIds: caller.profile_ids ?? [],
  }
}

export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Steps 1 and 2 of the specification's order: who is it, and in which organization. */
export async function identifyCaller(
  request: FastifyRequest,
  db: Database,
  sessionTokens: SessionTokens,
): Promise<Caller> {
  const token = bearerToken(request)
  if (token?.startsWith(API_KEY_PREFIX) || token?.startsWith(IMPERSONATION_PREFIX)) {
    const find = token.startsWith(API_KEY_PREFIX) ? FIND_SERVICE_CALLER : FIND_IMPERSONATED_CALLER
    const caller = await findCaller(db, find, [hashApiKey(token)])
    if (!caller) throw unauthenticated({}, WWW_AUTHENTICATE)
    const named = headerOrganization(request)
    if (named !== null && named !== caller.organization_id) throw notAMember()
    return caller
  }
  const session = await sessionOf(token, sessionTokens)
  const named = headerOrganization(request)
  const caller = await findHuman(db, session, named, urlOrganization(request))
  if (named !== null && caller.organization_id === null && !caller.is_superadmin) throw notAMember()
  if (caller.joined === false) await db.call(JOIN_ORGANIZATION, [caller.principal_id, caller.organization_id])
  return caller
}

/** The same human in another organization of theirs; undefined when it is not theirs. */
export async function identifyCallerIn(
  request: FastifyRequest,
  db: Database,
  sessionTokens: SessionTokens,
  organizationId: string,
): Promise<Caller | undefined> {
  const session = await sessionOf(bearerToken(request), sessionTokens)
  const caller = await findHuman(db, session, organizationId, null)
  return caller.organization_id === null ? undefined : caller
}

async function sessionOf(token: string | undefined, sessionTokens: SessionTokens): Promise<Session> {
  const session = token === undefined ? undefined : await sessionTokens.verify(token)
  if (!session) throw unauthenticated({}, WWW_AUTHENTICATE)
  return session
}

async function findCaller(db: Database, text: string, values: unknown[]): Promise<Caller | undefined> {
  const [row] = await db.call<Caller & Record<string, unknown>>(text, values)
  return row?.principal_id ? row : undefined
}

async function findHuman(
  db: Database,
  session: Session,
  headerOrg: string | null,
  urlOrg: string | null,
): Promise<Caller> {
  const find = () => findCaller(db, FIND_CALLER, [session.issuer, session.subject, headerOrg, urlOrg])
  const known = session.provisioned ? await find() : undefined
  if (known) return known
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

/** The id in the address of an organization's route group; null elsewhere. A malformed one is a 404. */
function urlOrganization(request: FastifyRequest): string | null {
  if (!isOrganizationRoute(request.routeOptions.url ?? '')) return null
  const { id, org_id } = request.params as { id?: string; org_id?: string }
  const named = id ?? org_id
  if (!isUuid(named)) throw notFound()
  return named.toLowerCase()
}

/** Steps 3 and 4: the address names the current organization; the route's declared access; break-glass. */
export function checkAccess(request: FastifyRequest, caller: Caller): void {
  const { access } = request.routeOptions.config
  const urlOrg = urlOrganization(request)
  if (urlOrg !== null && caller.organization_id !== urlOrg) {
    throw caller.is_superadmin ? organizationNotFound() : organizationMismatch()
  }
  if (caller.impersonator_id !== null && request.method !== 'GET' && request.method !== 'HEAD')
    throw impersonationReadOnly()
  if (access?.kind === 'superadmin' && !caller.is_superadmin) throw superadminOnly()
  if (access?.kind === 'patient' && !caller.profile_ids?.length) throw patientsOnly()
  if (access?.kind === 'membership' && caller.role_id === null && !caller.is_superadmin) throw notAMember()
  if (access?.kind === 'permission' && !holds(caller, access.code)) throw forbidden({ required: access.code })
  if (request.routeOptions.config.patientData) checkBreakGlass(request, caller)
}

/** Patient data opens to a superadmin only by break-glass, to read, and only the patient it names. */
function checkBreakGlass(request: FastifyRequest, caller: Caller): void {
  if (!caller.is_superadmin) return
  if (caller.break_glass_id === null) throw breakGlassRequired()
  if (request.method !== 'GET' && request.method !== 'HEAD') throw breakGlassReadOnly()
  if (caller.break_glass_patient_id === null) return
  const { patient_id, patientId, id } = request.params as Record<string, string | undefined>
  const named = patient_id ?? patientId ?? (isOrganizationRoute(request.routeOptions.url ?? '') ? undefined : id)
  if (named?.toLowerCase() !== caller.break_glass_patient_id) throw breakGlassRequired()
}
