import type { RouteOptions } from 'fastify'
import { isOrganizationRoute } from '../access.ts'
import { requestTimeout } from '../client-errors.ts'
import type { ApiError, Refusal } from '../errors.ts'
import { namedNotFound, validationError } from '../named-refusals.ts'
import * as refusals from '../refusals.ts'

// Which of the common refusals a route can give. What it declares itself comes on top.

/** What refusals depend on. */
type Route = Pick<RouteOptions, 'method' | 'url' | 'config' | 'schema'>

export interface SharedRefusal {
  readonly refusal: Refusal
  /** Finishes "given by …". */
  readonly where: string
  readonly applies: (route: Route) => boolean
  /** Members of the example that depend on the route. */
  readonly example?: (route: Route) => Record<string, unknown>
}

const isPublic = ({ config }: Route) => config?.access?.kind === 'public'
const isLimited = ({ config }: Route) => config?.limit !== 'none'
const isNamed = ({ config }: Route) => config?.envelope === 'named'
const isWrite = ({ method }: Route) => method !== 'GET'
/** JSON is read and checked also where the route needs no body. */
const readsJson = (route: Route) => isWrite(route) && route.config?.consumes === undefined
const takesContent = (route: Route) => readsJson(route) || route.schema?.querystring !== undefined
const isOrganizations = ({ url }: Route) => isOrganizationRoute(url)
const isPatientData = ({ config }: Route) => config?.patientData === true
const isIdempotent = ({ config }: Route) => config?.idempotent === true
const requiredBy = ({ config }: Route) => (config?.access?.kind === 'permission' ? config.access.code : undefined)

export const SHARED_REFUSALS: readonly SharedRefusal[] = [
  { refusal: refusals.unauthenticated, where: 'every route that is not public', applies: (route) => !isPublic(route) },
  {
    refusal: refusals.crossSite,
    where: 'every route that writes and is not public',
    applies: (route) => isWrite(route) && !isPublic(route),
  },
  {
    refusal: refusals.forbidden,
    where: 'routes that need a permission',
    applies: (route) => requiredBy(route) !== undefined,
    example: (route) => ({ required: requiredBy(route) }),
  },
  {
    refusal: refusals.superadminOnly,
    where: 'routes of superadmins',
    applies: ({ config }) => config?.access?.kind === 'superadmin',
  },
  {
    refusal: refusals.patientsOnly,
    where: 'routes of patients',
    applies: ({ config }) => config?.access?.kind === 'patient',
  },
  {
    refusal: refusals.impersonationReadOnly,
    where: 'routes that write, under impersonation',
    applies: (route) => isWrite(route) && !isPublic(route),
  },
  { refusal: refusals.breakGlassRequired, where: 'routes of patient data, for a superadmin', applies: isPatientData },
  {
    refusal: refusals.breakGlassReadOnly,
    where: 'routes that write patient data, for a superadmin',
    applies: (route) => isPatientData(route) && isWrite(route),
  },
  {
    refusal: refusals.consentRequired,
    where: 'every route behind the consent gate, for a patient',
    applies: (route) => !isPublic(route) && route.config?.gate !== 'open',
  },
  {
    refusal: refusals.featureConsentRequired,
    where: 'features that need a consent of their own',
    applies: ({ config }) => config?.consent !== undefined,
    example: ({ config }) => ({ missing_purpose: config?.consent }),
  },
  {
    refusal: refusals.processingRestricted,
    where: 'routes that write about a patient',
    applies: (route) => isPatientData(route) && isWrite(route),
  },
  { refusal: refusals.notAMember, where: 'every route that is not public', applies: (route) => !isPublic(route) },
  {
    refusal: refusals.membershipRequired,
    where: 'routes of members',
    applies: ({ config }) => config?.access?.kind === 'membership',
  },
  { refusal: refusals.organizationMismatch, where: 'routes of one organization', applies: isOrganizations },
  {
    refusal: refusals.organizationNotFound,
    where: 'routes of one organization, for a superadmin',
    applies: isOrganizations,
  },
  {
    refusal: refusals.notFound,
    where: 'unknown URLs, and routes with an id in the URL',
    applies: (route) => route.schema?.params !== undefined && !isNamed(route),
  },
  {
    refusal: namedNotFound,
    where: 'custom fields, profiles and segments, for a URL with a malformed id',
    applies: (route) => route.schema?.params !== undefined && isNamed(route),
  },
  {
    refusal: refusals.validationFailed,
    where: 'routes that read JSON, a query or X-Organization-ID',
    applies: (route) => takesContent(route) || !isPublic(route),
  },
  {
    refusal: validationError,
    where: 'custom fields, profiles and segments, for an invalid body or query',
    applies: (route) => isNamed(route) && takesContent(route),
  },
  { refusal: refusals.conflict, where: 'routes that write', applies: (route) => isWrite(route) && !isPublic(route) },
  {
    refusal: refusals.staleVersion,
    where: 'routes that accept If-Match',
    applies: ({ config }) => config?.versioned !== undefined,
  },
  { refusal: refusals.requestInProgress, where: 'routes that accept Idempotency-Key', applies: isIdempotent },
  { refusal: refusals.idempotencyKeyReused, where: 'routes that accept Idempotency-Key', applies: isIdempotent },
  { refusal: refusals.payloadTooLarge, where: 'routes that write', applies: isWrite },
  { refusal: refusals.unsupportedMediaType, where: 'routes that write', applies: isWrite },
  { refusal: refusals.unsupportedEncoding, where: 'routes that write', applies: isWrite },
  { refusal: requestTimeout, where: 'routes that write', applies: isWrite },
  { refusal: refusals.rateLimited, where: 'every route but health and static files', applies: isLimited },
  { refusal: refusals.internalError, where: 'every route', applies: () => true },
  { refusal: refusals.unavailable, where: 'every route', applies: () => true },
]

/** Every refusal of the route, as it would be answered. */
export function refusalsOf(route: Route): ApiError[] {
  const shared = SHARED_REFUSALS.filter((one) => one.applies(route)).map(({ refusal, example }) =>
    refusal({ ...refusal.example, ...example?.(route) }),
  )
  const { refusals: declared = [], invalid } = route.config ?? {}
  const own = [...(invalid ? [invalid] : []), ...declared].map((refusal) => refusal(refusal.example))
  return [...own, ...shared].filter(
    (one, index, all) =>
      all.findIndex(
        ({ status, code, message }) => status === one.status && code === one.code && message === one.message,
      ) === index,
  )
}
