import { isUuid, type WebApp } from '@tendon/contracts'
import { type Context, NIL_UUID } from '@tendon/db'
import {
  type Access,
  breakGlassReadOnly,
  breakGlassRequired,
  forbidden,
  impersonationReadOnly,
  membershipRequired,
  notFound,
  organizationMismatch,
  organizationNotFound,
  organizationParameter,
  patientParameter,
  patientsOnly,
  superadminOnly,
  textIn,
} from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { resolveLanguage } from './language.ts'

/** Who calls, in which organization, with which rights. May be shared between requests: never changed. */
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

/** The id in the URL of an organization's route group; null elsewhere. A malformed one is a 404. */
export function urlOrganization(request: FastifyRequest): string | null {
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
