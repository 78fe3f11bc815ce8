import type { Feature } from './feature.ts'
import { analytics } from './features/care/analytics/feature.ts'
import { attention } from './features/care/attention/feature.ts'
import { patientConditions } from './features/care/patient-conditions/feature.ts'
import { programs } from './features/care/programs/feature.ts'
import { sessionRuns } from './features/care/session-runs/feature.ts'
import { stats } from './features/care/stats/feature.ts'
import { today } from './features/care/today/feature.ts'
import { treatmentPlans } from './features/care/treatment-plans/feature.ts'
import { automations } from './features/connections/automations/feature.ts'
import { integrations } from './features/connections/integrations/feature.ts'
import { mails } from './features/connections/mails/feature.ts'
import { platformServiceProviders } from './features/connections/platform-service-providers/feature.ts'
import { webhooks } from './features/connections/webhooks/feature.ts'
import { appointmentDocuments } from './features/documents/appointment-documents/feature.ts'
import { pdfTemplates } from './features/documents/pdf-templates/feature.ts'
import { compositions } from './features/exercise-library/compositions/feature.ts'
import { contraindications } from './features/exercise-library/contraindications/feature.ts'
import { exercises } from './features/exercise-library/exercises/feature.ts'
import { instructions } from './features/exercise-library/instructions/feature.ts'
import { poseConfigs } from './features/exercise-library/pose-configs/feature.ts'
import { prerequisites } from './features/exercise-library/prerequisites/feature.ts'
import { tags } from './features/exercise-library/tags/feature.ts'
import { taxonomy } from './features/exercise-library/taxonomy/feature.ts'
import { videos } from './features/exercise-library/videos/feature.ts'
import { me } from './features/people/me/feature.ts'
import { patientTimelines } from './features/people/patient-timelines/feature.ts'
import { patients } from './features/people/patients/feature.ts'
import { savedViews } from './features/people/saved-views/feature.ts'
import { search } from './features/people/search/feature.ts'
import { specialists } from './features/people/specialists/feature.ts'
import { specialties } from './features/people/specialties/feature.ts'
import { webSessions } from './features/people/web-sessions/feature.ts'
import { accessLog } from './features/privacy/access-log/feature.ts'
import { auditLogs } from './features/privacy/audit-logs/feature.ts'
import { breakGlass } from './features/privacy/break-glass/feature.ts'
import { consentPurposes } from './features/privacy/consent-purposes/feature.ts'
import { consents } from './features/privacy/consents/feature.ts'
import { gdpr } from './features/privacy/gdpr/feature.ts'
import { privacyNotices } from './features/privacy/privacy-notices/feature.ts'
import { customFields } from './features/records/custom-fields/feature.ts'
import { formTemplates } from './features/records/form-templates/feature.ts'
import { forms } from './features/records/forms/feature.ts'
import { profiles } from './features/records/profiles/feature.ts'
import { segments } from './features/records/segments/feature.ts'
import { appointments } from './features/scheduling/appointments/feature.ts'
import { availability } from './features/scheduling/availability/feature.ts'
import { bookings } from './features/scheduling/bookings/feature.ts'
import { calendar } from './features/scheduling/calendar/feature.ts'
import { calendarFeeds } from './features/scheduling/calendar-feeds/feature.ts'
import { calendars } from './features/scheduling/calendars/feature.ts'
import { closures } from './features/scheduling/closures/feature.ts'
import { holds } from './features/scheduling/holds/feature.ts'
import { products } from './features/scheduling/products/feature.ts'
import { reminders } from './features/scheduling/reminders/feature.ts'
import { servicePlans } from './features/scheduling/service-plans/feature.ts'
import { services } from './features/scheduling/services/feature.ts'
import { waitlistOffers } from './features/scheduling/waitlist-offers/feature.ts'
import { health } from './features/system/health/feature.ts'
import { objects } from './features/system/objects/feature.ts'
import { openapi } from './features/system/openapi/feature.ts'
import { systemInfo } from './features/system/system-info/feature.ts'
import { webApps } from './features/system/web-apps/feature.ts'
import { domains } from './features/tenancy/domains/feature.ts'
import { images } from './features/tenancy/images/feature.ts'
import { locations } from './features/tenancy/locations/feature.ts'
import { members } from './features/tenancy/members/feature.ts'
import { organizations } from './features/tenancy/organizations/feature.ts'
import { plans } from './features/tenancy/plans/feature.ts'
import { platformMemberships } from './features/tenancy/platform-memberships/feature.ts'
import { roleTemplates } from './features/tenancy/role-templates/feature.ts'
import { roles } from './features/tenancy/roles/feature.ts'
import { serviceAccounts } from './features/tenancy/service-accounts/feature.ts'
import { settings } from './features/tenancy/settings/feature.ts'

const system = [health, systemInfo, openapi, objects, webApps]
const tenancy = [
  organizations,
  plans,
  members,
  roles,
  roleTemplates,
  serviceAccounts,
  domains,
  locations,
  settings,
  images,
  platformMemberships,
]
const people = [me, webSessions, savedViews, patients, patientTimelines, search, specialists, specialties]
const records = [customFields, profiles, segments, formTemplates, forms]
const exerciseLibrary = [
  taxonomy,
  exercises,
  instructions,
  videos,
  poseConfigs,
  prerequisites,
  contraindications,
  tags,
  compositions,
]
const care = [patientConditions, programs, treatmentPlans, sessionRuns, today, analytics, stats, attention]
const scheduling = [
  services,
  servicePlans,
  products,
  calendars,
  closures,
  availability,
  holds,
  appointments,
  bookings,
  waitlistOffers,
  reminders,
  calendarFeeds,
  calendar,
]
const documents = [pdfTemplates, appointmentDocuments]
const connections = [integrations, platformServiceProviders, mails, webhooks, automations]
const privacy = [consents, consentPurposes, privacyNotices, accessLog, gdpr, breakGlass, auditLogs]

/**
 * The table of contents of the API. The order matters for data classes only (data-classes.ts): a feature that stores rows
 * about patients comes after the features to whose rows they refer.
 */
export const features: readonly Feature[] = [
  ...system,
  ...tenancy,
  ...people,
  ...records,
  ...exerciseLibrary,
  ...care,
  ...scheduling,
  ...documents,
  ...connections,
  ...privacy,
]
