import type { Constraints } from '@tendon/http'
import type { CoreApp } from './app.ts'
import { accessLogConstraints } from './features/access-log/errors.ts'
import { accessLog } from './features/access-log/routes.ts'
import { analyticsConstraints } from './features/analytics/errors.ts'
import { analytics } from './features/analytics/routes.ts'
import { auditLogConstraints } from './features/audit-logs/errors.ts'
import { auditLogs } from './features/audit-logs/routes.ts'
import { breakGlassConstraints } from './features/break-glass/errors.ts'
import { breakGlass } from './features/break-glass/routes.ts'
import { consentPurposeConstraints } from './features/consent-purposes/errors.ts'
import { consentPurposes } from './features/consent-purposes/routes.ts'
import { consentConstraints } from './features/consents/errors.ts'
import { consents } from './features/consents/routes.ts'
import { customFieldConstraints } from './features/custom-fields/errors.ts'
import { customFields } from './features/custom-fields/routes.ts'
import { domainConstraints } from './features/domains/errors.ts'
import { domains } from './features/domains/routes.ts'
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
import { formFileConstraints } from './features/form-files/errors.ts'
import { formFiles } from './features/form-files/routes.ts'
import { formTemplateConstraints } from './features/form-templates/errors.ts'
import { formTemplates } from './features/form-templates/routes.ts'
import { formConstraints } from './features/forms/errors.ts'
import { forms } from './features/forms/routes.ts'
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
import { patientConditionConstraints } from './features/patient-conditions/errors.ts'
import { patientConditions } from './features/patient-conditions/routes.ts'
import { patientConstraints } from './features/patients/errors.ts'
import { patients } from './features/patients/routes.ts'
import { planConstraints } from './features/plans/errors.ts'
import { plans } from './features/plans/routes.ts'
import { platformMembershipConstraints } from './features/platform-memberships/errors.ts'
import { platformMemberships } from './features/platform-memberships/routes.ts'
import { privacyNoticeConstraints } from './features/privacy-notices/errors.ts'
import { privacyNotices } from './features/privacy-notices/routes.ts'
import { profileConstraints } from './features/profiles/errors.ts'
import { profiles } from './features/profiles/routes.ts'
import { programConstraints } from './features/programs/errors.ts'
import { programs } from './features/programs/routes.ts'
import { roleTemplateConstraints } from './features/role-templates/errors.ts'
import { roleTemplates } from './features/role-templates/routes.ts'
import { roleConstraints } from './features/roles/errors.ts'
import { roles } from './features/roles/routes.ts'
import { segmentConstraints } from './features/segments/errors.ts'
import { segments } from './features/segments/routes.ts'
import { serviceAccountConstraints } from './features/service-accounts/errors.ts'
import { serviceAccounts } from './features/service-accounts/routes.ts'
import { sessionRunConstraints } from './features/session-runs/errors.ts'
import { sessionRuns } from './features/session-runs/routes.ts'
import { specialistConstraints } from './features/specialists/errors.ts'
import { specialists } from './features/specialists/routes.ts'
import { specialtyConstraints } from './features/specialties/errors.ts'
import { specialties } from './features/specialties/routes.ts'
import { statsConstraints } from './features/stats/errors.ts'
import { stats } from './features/stats/routes.ts'
import { systemInfo } from './features/system-info/routes.ts'
import { treatmentPlanConstraints } from './features/treatment-plans/errors.ts'
import { treatmentPlans } from './features/treatment-plans/routes.ts'
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
