import { appointmentDocumentList } from './appointment-documents.ts'
import { appointmentList } from './appointments.ts'
import { auditLogList } from './audit-logs.ts'
import { automationExecutionList, automationRuleList } from './automation-rules.ts'
import { clinicBreakGlassList } from './break-glass.ts'
import { calendarList } from './calendars.ts'
import { closureList } from './closures.ts'
import { consentPurposeList } from './consent-purposes.ts'
import { CustomField, customFieldFilters } from './custom-fields.ts'
import { domainList } from './domains.ts'
import { exerciseList } from './exercises.ts'
import { formTemplateList } from './form-templates.ts'
import { formList } from './forms.ts'
import { privacyRequestList } from './gdpr.ts'
import { integrationList } from './integrations.ts'
import type { ListContract } from './list.ts'
import { locationList } from './locations.ts'
import { mailList } from './mails.ts'
import { memberList } from './members.ts'
import { patientList } from './patients.ts'
import { pdfTemplateList } from './pdf-templates.ts'
import { productList } from './products.ts'
import { programList } from './programs.ts'
import { roleList } from './roles.ts'
import { Segment } from './segments.ts'
import { serviceAccountList } from './service-accounts.ts'
import { servicePlanList } from './service-plans.ts'
import { serviceList } from './services.ts'
import { clinicRunList } from './session-runs-list.ts'
import { clinicImageList } from './settings.ts'
import { specialistList } from './specialists.ts'
import { specialtyList } from './specialties.ts'
import { TAXONOMY_FIELDS, type TaxonomyAxis, taxonomyLists } from './taxonomy.ts'
import { treatmentPlanList } from './treatment-plans.ts'
import { webhookDeliveryList, webhookSubscriptionList } from './webhook-subscriptions.ts'

// Lists that the API returns whole are sorted by the console, by any field of a row.
const wholeList = (row: { properties: object }, query: { properties: object } = { properties: {} }) => ({
  sort: Object.keys(row.properties),
  filters: Object.fromEntries(Object.keys(query.properties).map((name) => [name, 'text' as const])),
})
const axis = (name: TaxonomyAxis): ListContract => ({ ...taxonomyLists[name], sort: TAXONOMY_FIELDS })

/**
 * The lists of the console whose views can be saved, by the segment of their URL, each with the contract that its route
 * has. A test compares this table with the routes.
 */
export const savedViewLists = {
  patients: patientList,
  appointments: appointmentList,
  'waiting-list': appointmentList,
  'session-runs': clinicRunList,
  'treatment-plans': treatmentPlanList,
  programs: programList,
  exercises: exerciseList,
  'exercise-categories': axis('category'),
  'exercise-body-regions': axis('body_region'),
  'exercise-equipment': axis('equipment'),
  'exercise-movement-patterns': axis('movement_pattern'),
  'exercise-recovery-phases': axis('recovery_phase'),
  'exercise-conditions': axis('condition'),
  'exercise-skill-prerequisites': axis('skill_prerequisite'),
  segments: wholeList(Segment),
  forms: formList,
  'form-templates': formTemplateList,
  'appointment-documents': appointmentDocumentList,
  'pdf-templates': pdfTemplateList,
  'custom-fields': wholeList(CustomField, customFieldFilters),
  members: memberList,
  roles: roleList,
  'service-accounts': serviceAccountList,
  specialists: specialistList,
  specialties: specialtyList,
  services: serviceList,
  'service-plans': servicePlanList,
  products: productList,
  calendars: calendarList,
  closures: closureList,
  locations: locationList,
  domains: domainList,
  images: clinicImageList,
  integrations: integrationList,
  mails: mailList,
  'webhook-subscriptions': webhookSubscriptionList,
  'webhook-deliveries': webhookDeliveryList,
  'automation-rules': automationRuleList,
  'automation-executions': automationExecutionList,
  'consent-purposes': consentPurposeList,
  'privacy-requests': privacyRequestList,
  'audit-logs': auditLogList,
  'break-glass': clinicBreakGlassList,
} as const satisfies Readonly<Record<string, ListContract>>

export type SavedViewList = keyof typeof savedViewLists
