import { createHash } from 'node:crypto'
import type { Context, Database } from '@tendon/db'
import {
  forbidden,
  isOrganizationRoute,
  isUuid,
  notAMember,
  notFound,
  organizationMismatch,
  organizationNotFound,
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
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const WWW_AUTHENTICATE = { 'www-authenticate': 'Bearer' }
const API_KEY_PREFIX = 'tk_'

const FIND_CALLER = 'select * from find_caller($1, $2, $3, $4)'
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
  if (token?.startsWith(API_KEY_PREFIX)) {
    const caller = await findCaller(db, FIND_SERVICE_CALLER, [hashApiKey(token)])
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
  const known = await find()
  if (known && (session.provisioned || isUpToDate(known, session))) return known
  session.provisioned = true
  await db.call(PROVISION_HUMAN, [session.issuer, session.subject, session.email, session.emailVerified, session.name])
  const provisioned = await find()
  if (!provisioned) throw new Error('a provisioned human was not found')
  return provisioned
}

function isUpToDate(caller: Caller, session: Session): boolean {
  return (
    session.email === null ||
    (caller.email?.toLowerCase() === session.email.toLowerCase() && caller.email_verified === session.emailVerified)
  )
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

/** Steps 3 and 4: the address names the current organization; the route's declared access. */
export function checkAccess(request: FastifyRequest, caller: Caller): void {
  const { access } = request.routeOptions.config
  const urlOrg = urlOrganization(request)
  if (urlOrg !== null && caller.organization_id !== urlOrg) {
    throw caller.is_superadmin ? organizationNotFound() : organizationMismatch()
  }
  if (access?.kind === 'superadmin' && !caller.is_superadmin) throw superadminOnly()
  if (access?.kind === 'membership' && caller.role_id === null && !caller.is_superadmin) throw notAMember()
  if (access?.kind === 'permission' && !holds(caller, access.code)) throw forbidden({ required: access.code })
}
