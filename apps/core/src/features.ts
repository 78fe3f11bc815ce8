import type { Constraints } from '@tendon/http'
import type { CoreApp } from './app.ts'
import { accessLogConstraints } from './features/access-log/errors.ts'
import { accessLog } from './features/access-log/routes.ts'
import { auditLogConstraints } from './features/audit-logs/errors.ts'
import { auditLogs } from './features/audit-logs/routes.ts'
import { breakGlassConstraints } from './features/break-glass/errors.ts'
import { breakGlass } from './features/break-glass/routes.ts'
import { consentPurposeConstraints } from './features/consent-purposes/errors.ts'
import { consentPurposes } from './features/consent-purposes/routes.ts'
import { consentConstraints } from './features/consents/errors.ts'
import { consents } from './features/consents/routes.ts'
import { domainConstraints } from './features/domains/errors.ts'
import { domains } from './features/domains/routes.ts'
import { gdprConstraints } from './features/gdpr/errors.ts'
import { gdpr } from './features/gdpr/routes.ts'
import { health } from './features/health/routes.ts'
import { locationConstraints } from './features/locations/errors.ts'
import { locations } from './features/locations/routes.ts'
import { me } from './features/me/routes.ts'
import { memberConstraints } from './features/members/errors.ts'
import { members } from './features/members/routes.ts'
import { objectConstraints } from './features/objects/errors.ts'
import { objects } from './features/objects/routes.ts'
import { openapi } from './features/openapi/routes.ts'
import { organizationConstraints } from './features/organizations/errors.ts'
import { organizations } from './features/organizations/routes.ts'
import { patientConstraints } from './features/patients/errors.ts'
import { patients } from './features/patients/routes.ts'
import { planConstraints } from './features/plans/errors.ts'
import { plans } from './features/plans/routes.ts'
import { platformMembershipConstraints } from './features/platform-memberships/errors.ts'
import { platformMemberships } from './features/platform-memberships/routes.ts'
import { privacyNoticeConstraints } from './features/privacy-notices/errors.ts'
import { privacyNotices } from './features/privacy-notices/routes.ts'
import { roleTemplateConstraints } from './features/role-templates/errors.ts'
import { roleTemplates } from './features/role-templates/routes.ts'
import { roleConstraints } from './features/roles/errors.ts'
import { roles } from './features/roles/routes.ts'
import { serviceAccountConstraints } from './features/service-accounts/errors.ts'
import { serviceAccounts } from './features/service-accounts/routes.ts'
import { systemInfo } from './features/system-info/routes.ts'
import type { Services } from './services.ts'

/** Adds the endpoints of one feature. */
export type Feature = (app: CoreApp, services: Services) => void

/** The API's table of contents. */
export const features: Feature[] = [
  health,
  systemInfo,
  openapi,
  me,
  organizations,
  plans,
  members,
  roles,
  serviceAccounts,
  domains,
  locations,
  patients,
  consents,
  consentPurposes,
  privacyNotices,
  accessLog,
  gdpr,
  auditLogs,
  objects,
  platformMemberships,
  roleTemplates,
  breakGlass,
]

/** Constraint name → refusal, of all features. */
export const constraints: Constraints = {
  ...breakGlassConstraints,
  ...accessLogConstraints,
  ...gdprConstraints,
  ...privacyNoticeConstraints,
  ...consentPurposeConstraints,
  ...consentConstraints,
  ...patientConstraints,
  ...auditLogConstraints,
  ...domainConstraints,
  ...locationConstraints,
  ...memberConstraints,
  ...objectConstraints,
  ...organizationConstraints,
  ...planConstraints,
  ...platformMembershipConstraints,
  ...roleTemplateConstraints,
  ...roleConstraints,
  ...serviceAccountConstraints,
}
