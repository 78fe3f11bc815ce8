import type { Database } from '@tendon/db'
import { consentRequired, featureConsentRequired } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { type Caller, comesAsPatient } from './caller.ts'
import { resolveLanguage } from './language.ts'

// The two consent gates of the specification (Authentication, point 9), as far as a route declares them.

interface MissingPurpose extends Record<string, unknown> {
  organization_id: string | null
  organization_name: string | null
  purpose_code: string
  purpose_name: string
  required_version: number
  body: string
  /** The caller's profiles at that clinic; null for the platform. */
  profile_ids: string[] | null
}

const MISSING_PURPOSES = 'select * from missing_texts($1, $2)'
const HAS_CONSENT = 'select has_consent($1, $2, $3) as given'

/**
 * The universal gate: 412 with the texts to show while something required is not accepted, on the platform or at the clinic
 * in scope. Returns the caller without their profiles at other clinics whose gate is closed: those rows stay invisible.
 */
export async function checkRequiredConsents(request: FastifyRequest, caller: Caller, db: Database): Promise<Caller> {
  if (request.routeOptions.config.gate === 'open' || !isBound(request, caller)) return caller
  const language = resolveLanguage(caller.preferred_language, caller.organization_language)
  const missing = await db.lookUp<MissingPurpose>(MISSING_PURPOSES, [caller.principal_id, language])
  if (missing.length === 0) return caller
  const here = caller.patient_id === null ? null : caller.organization_id
  const inScope = missing.filter(({ organization_id }) => organization_id === null || organization_id === here)
  const closed = new Set(missing.flatMap(({ profile_ids }) => profile_ids ?? []))
  const open = caller.profile_ids?.filter((id) => !closed.has(id)) ?? []
  const wanted = here === null && open.length === 0 ? missing : inScope
  if (wanted.length > 0) throw consentRequired({ missing_purposes: wanted.map(publicText) })
  return { ...caller, profile_ids: open }
}

const publicText = ({ profile_ids: _profiles, ...text }: MissingPurpose) => text

/** The feature gate: 403 while the patient has not agreed to the purpose that the route names. */
export async function checkFeatureConsent(request: FastifyRequest, caller: Caller, db: Database): Promise<void> {
  const { consent } = request.routeOptions.config
  if (consent === undefined || !isBound(request, caller)) return
  const { patient_profile_id, organization_id } = caller
  const [row] = await db.lookUp<{ given: boolean }>(HAS_CONSENT, [patient_profile_id, organization_id, consent])
  if (!row?.given) throw featureConsentRequired({ missing_purpose: consent })
}

/**
 * A patient who is not staff of the clinic in scope, on every route; staff who are patients too, on the routes of patients.
 * Superadmins, service accounts and those who impersonate are exempt.
 */
function isBound(request: FastifyRequest, caller: Caller): boolean {
  if (caller.is_superadmin || caller.kind === 'service' || caller.impersonator_id !== null) return false
  if (!caller.profile_ids?.length) return false
  const { access } = request.routeOptions.config
  if (access?.kind === 'patient' || comesAsPatient(access, caller)) return true
  return caller.role_id === null && caller.patient_id !== null
}
