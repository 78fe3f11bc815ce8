import type { Constraints } from '@tendon/http'
import type { CoreApp } from './app.ts'
import { analyticsConstraints } from './features/care/analytics/errors.ts'
import { analytics } from './features/care/analytics/routes.ts'
import { patientConditionConstraints } from './features/care/patient-conditions/errors.ts'
import { patientConditions } from './features/care/patient-conditions/routes.ts'
import { programConstraints } from './features/care/programs/errors.ts'
import { programs } from './features/care/programs/routes.ts'
import { sessionRunConstraints } from './features/care/session-runs/errors.ts'
import { sessionRuns } from './features/care/session-runs/routes.ts'
import { statsConstraints } from './features/care/stats/errors.ts'
import { stats } from './features/care/stats/routes.ts'
import { treatmentPlanConstraints } from './features/care/treatment-plans/errors.ts'
import { treatmentPlans } from './features/care/treatment-plans/routes.ts'
import { contraindicationConstraints } from './features/exercise-library/contraindications/errors.ts'
import { contraindications } from './features/exercise-library/contraindications/routes.ts'
import { exerciseConstraints } from './features/exercise-library/exercises/errors.ts'
import { exercises } from './features/exercise-library/exercises/routes.ts'
import { instructionConstraints } from './features/exercise-library/instructions/errors.ts'
import { instructions } from './features/exercise-library/instructions/routes.ts'
import { poseConfigConstraints } from './features/exercise-library/pose-configs/errors.ts'
import { poseConfigs } from './features/exercise-library/pose-configs/routes.ts'
import { prerequisiteConstraints } from './features/exercise-library/prerequisites/errors.ts'
import { prerequisites } from './features/exercise-library/prerequisites/routes.ts'
import { tagConstraints } from './features/exercise-library/tags/errors.ts'
import { tags } from './features/exercise-library/tags/routes.ts'
import { taxonomyConstraints } from './features/exercise-library/taxonomy/errors.ts'
import { taxonomy } from './features/exercise-library/taxonomy/routes.ts'
import { videoConstraints } from './features/exercise-library/videos/errors.ts'
import { videos } from './features/exercise-library/videos/routes.ts'
import { me } from './features/people/me/routes.ts'
import { patientConstraints } from './features/people/patients/errors.ts'
import { patients } from './features/people/patients/routes.ts'
import { specialistConstraints } from './features/people/specialists/errors.ts'
import { specialists } from './features/people/specialists/routes.ts'
import { specialtyConstraints } from './features/people/specialties/errors.ts'
import { specialties } from './features/people/specialties/routes.ts'
import { accessLogConstraints } from './features/privacy/access-log/errors.ts'
import { accessLog } from './features/privacy/access-log/routes.ts'
import { auditLogConstraints } from './features/privacy/audit-logs/errors.ts'
import { auditLogs } from './features/privacy/audit-logs/routes.ts'
import { breakGlassConstraints } from './features/privacy/break-glass/errors.ts'
import { breakGlass } from './features/privacy/break-glass/routes.ts'
import { consentPurposeConstraints } from './features/privacy/consent-purposes/errors.ts'
import { consentPurposes } from './features/privacy/consent-purposes/routes.ts'
import { consentConstraints } from './features/privacy/consents/errors.ts'
import { consents } from './features/privacy/consents/routes.ts'
import { gdprConstraints } from './features/privacy/gdpr/errors.ts'
import { gdpr } from './features/privacy/gdpr/routes.ts'
import { privacyNoticeConstraints } from './features/privacy/privacy-notices/errors.ts'
import { privacyNotices } from './features/privacy/privacy-notices/routes.ts'
import { customFieldConstraints } from './features/records/custom-fields/errors.ts'
import { customFields } from './features/records/custom-fields/routes.ts'
import { formTemplateConstraints } from './features/records/form-templates/errors.ts'
import { formTemplates } from './features/records/form-templates/routes.ts'
import { formConstraints } from './features/records/forms/errors.ts'
import { formFileConstraints } from './features/records/forms/files/errors.ts'
import { formFiles } from './features/records/forms/files/routes.ts'
import { forms } from './features/records/forms/routes.ts'
import { profileConstraints } from './features/records/profiles/errors.ts'
import { profiles } from './features/records/profiles/routes.ts'
import { segmentConstraints } from './features/records/segments/errors.ts'
import { segments } from './features/records/segments/routes.ts'
import { health } from './features/system/health/routes.ts'
import { objectConstraints } from './features/system/objects/errors.ts'
import { objects } from './features/system/objects/routes.ts'
import { openapi } from './features/system/openapi/routes.ts'
import { systemInfo } from './features/system/system-info/routes.ts'
import { domainConstraints } from './features/tenancy/domains/errors.ts'
import { domains } from './features/tenancy/domains/routes.ts'
import { locationConstraints } from './features/tenancy/locations/errors.ts'
import { locations } from './features/tenancy/locations/routes.ts'
import { memberConstraints } from './features/tenancy/members/errors.ts'
import { members } from './features/tenancy/members/routes.ts'
import { organizationConstraints } from './features/tenancy/organizations/errors.ts'
import { organizations } from './features/tenancy/organizations/routes.ts'
import { planConstraints } from './features/tenancy/plans/errors.ts'
import { plans } from './features/tenancy/plans/routes.ts'
import { platformMembershipConstraints } from './features/tenancy/platform-memberships/errors.ts'
import { platformMemberships } from './features/tenancy/platform-memberships/routes.ts'
import { roleTemplateConstraints } from './features/tenancy/role-templates/errors.ts'
import { roleTemplates } from './features/tenancy/role-templates/routes.ts'
import { roleConstraints } from './features/tenancy/roles/errors.ts'
import { roles } from './features/tenancy/roles/routes.ts'
import { serviceAccountConstraints } from './features/tenancy/service-accounts/errors.ts'
import { serviceAccounts } from './features/tenancy/service-accounts/routes.ts'
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
  specialists,
  specialties,
  customFields,
  profiles,
  formTemplates,
  forms,
  formFiles,
  segments,
  taxonomy,
  exercises,
  instructions,
  videos,
  poseConfigs,
  prerequisites,
  contraindications,
  tags,
  patientConditions,
  programs,
  treatmentPlans,
  sessionRuns,
  analytics,
  stats,
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
  ...specialistConstraints,
  ...specialtyConstraints,
  ...customFieldConstraints,
  ...profileConstraints,
  ...formTemplateConstraints,
  ...formConstraints,
  ...formFileConstraints,
  ...segmentConstraints,
  ...taxonomyConstraints,
  ...exerciseConstraints,
  ...instructionConstraints,
  ...videoConstraints,
  ...poseConfigConstraints,
  ...prerequisiteConstraints,
  ...contraindicationConstraints,
  ...tagConstraints,
  ...patientConditionConstraints,
  ...programConstraints,
  ...treatmentPlanConstraints,
  ...sessionRunConstraints,
  ...analyticsConstraints,
  ...statsConstraints,
}
