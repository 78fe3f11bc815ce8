// Written by "npm run generate" from the OpenAPI documents. Do not edit.

export interface AcceptedPrivacyRequest {
  id: string
  kind: "export" | "erase"
  patient_id: string
  status: "accepted" | "active" | "completed" | "error" | "cancelled"
  progress: number
  reason: string | null
  error: string | null
  requested_by_principal_id: string | null
  created_at: string
  updated_at: string
  completed_at: string | null
  expires_at: string | null
  linked_request_ids: string[]
}

export interface AccessLogEntry {
  occurred_at: string
  organization: { id: string; name: string } | null
  who: { name: string | null; kind: "staff" | "service" | "operator" | "system" | "you" }
  role_name: string | null
  what: string
  how: "normal" | "break_glass" | "impersonation"
  reason: string | null
}

export interface Address {
  line1: string
  line2?: string
  city: string
  region?: string
  postal_code?: string
  country: string
}

export interface AffectedAppointments {
  data: Appointment[]
  total: number
}

export interface AffectedPlan {
  id: string
  title: string
  exercises: ({ id: string; name: string; severity: "contraindicated" | "relative" | "precaution" })[]
}

export interface ApiDocument {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, unknown>
}

export interface ApiKey {
  id: string
  name: string
  prefix: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export interface Appointment {
  id: string
  organization_id: string
  service_id: string
  specialist_id: string | null
  location_id: string | null
  calendar_id: string | null
  patient_profile_id: string | null
  patient_id: string | null
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  mode: "in_person" | "video" | "phone"
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  previous_status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error" | null
  status_set_at: string | null
  status_set_by: "staff" | "patient" | "booker" | "system" | null
  source: "staff" | "patient" | "public" | "waitlist" | "series"
  title: string | null
  notes: string | null
  patient_note: string | null
  meeting_url: string | null
  price_cents: number | null
  currency: string
  booker: Booker | null
  wanted: { specialist_ids?: string[]; windows?: { from: string; to: string }[] } | null
  series_id: string | null
  rescheduled_from_id: string | null
  rescheduled_to_id: string | null
  cancelled_at: string | null
  cancelled_by: "staff" | "patient" | "booker" | "system" | null
  cancellation_reason: string | null
  confirmed_at: string | null
  checked_in_at: string | null
  completed_at: string | null
  overlap_allowed: boolean
  custom_fields: Values
  missing_consents: string[]
  slot_freed_at: string | null
  freed_slot: { specialist_id: string; starts_at: string; ends_at: string } | null
  kept_on_day_off_at: string | null
  skipped_starts_at: string[]
  version: number
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  patient?: { id: string; name: string } | null
  specialist?: { id: string; name: string } | null
  service?: { id: string; name: string; translations: ServiceTranslations } | null
  documents?: ({ id: string; kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"; language: "en" | "ro"; pages: number; size: number; created_at: string })[]
  day_off?: { reason: string | null; is_kept: boolean } | null
}

export interface AppointmentChanges {
  title?: string | null
  notes?: string | null
  patient_note?: string | null
  meeting_url?: string | null
  overlap_allowed?: boolean
  custom_fields?: ProfileChanges
  mode?: "in_person" | "video" | "phone"
  location_id?: string | null
  price_cents?: number | null
  kept_on_day_off?: boolean
  version?: number
}

export interface AppointmentDocument {
  id: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  appointment_id: string | null
  form_id: string | null
  treatment_plan_id: string | null
  patient_profile_id: string | null
  pdf_template_id: string | null
  template_version: number
  language: "en" | "ro"
  pages: number
  size: number
  sha256: string
  verification_code: string
  created_at: string
}

export type AppointmentDocumentRequest = { kind?: "appointment_letter" | "attendance_certificate"; pdf_template_id?: string; language?: "en" | "ro" } | null

export interface AppointmentFile {
  id: string
  appointment_id: string
  name: string
  size: number
  mime: string
  uploaded_by_principal_id: string | null
  uploaded_at: string
}

export interface AppointmentMove {
  hold_id?: string
  starts_at?: string
  service_id?: string
  specialist_id?: string
  mode?: "in_person" | "video" | "phone"
  location_id?: string
  over_limit?: boolean
  allow_past?: boolean
}

export interface AppointmentReminder {
  id: string
  appointment_id: string
  offset_minutes: number
  send_at: string
  status: "planned" | "queued" | "sent" | "skipped"
  reason: "visit_cancelled" | "visit_moved" | "visit_not_confirmed" | "visit_started" | "patient_deleted" | "no_address" | "suppressed" | "processing_restricted" | "mail_failed" | "unknown" | null
  created_at: string
}

export interface AppointmentReview {
  id: string
  appointment_id: string
  rating: number
  comment: string | null
  created_at: string
}

export interface AppointmentStatusChange {
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  version?: number
  reason?: string | null
  starts_at?: string
  specialist_id?: string
  over_limit?: boolean
}

export interface AttentionItem {
  key: string
  kind: "pain" | "not_exercising" | "to_sign" | "to_confirm" | "unlinked" | "slot_freed" | "not_closed" | "plan_ends" | "incomplete" | "integration_broken" | "webhook_failing" | "mails_failed" | "notice_outdated" | "domain_failing" | "request_due" | "limit_reached"
  patient: { id: string; name: string } | null
  at: string | null
  params: { severity?: number; warning_signs?: ("chest_pain" | "breathless" | "faint_or_dizzy" | "sudden_weakness_or_numbness" | "bladder_or_bowel" | "calf_swelling" | "fall")[]; session_run_id?: string; treatment_plan_id?: string; form_id?: string; appointment_id?: string; integration_id?: string; webhook_subscription_id?: string; domain_id?: string; privacy_request_id?: string; title?: string; translations?: Record<string, Record<string, string>>; last_run_at?: string | null; starts_at?: string; ends_at?: string; ends_on?: string; status?: string; booker_name?: string | null; service?: { id: string; name: string; translations?: Record<string, Record<string, string>> } | null; specialist?: { id: string; name: string } | null; service_slug?: string; error?: string | null; host?: string; domain?: string; count?: number; version?: number; request?: "export" | "erase"; due_at?: string; limit?: string; max?: number; current?: number }
  mark: { state: "done" | "snoozed" | "open"; by: { id: string; name: string | null }; at: string; until: string | null } | null
}

export interface AttentionMarkChange {
  state: "done" | "snoozed" | "open"
  until?: string
}

export interface AuditLogEntry {
  id: string
  organization_id: string | null
  occurred_at: string
  actor: { principal_id: string | null; type: "user" | "patient" | "service" | "system" | "superadmin"; name: string | null }
  on_behalf_of: string | null
  action: string
  crud: "C" | "R" | "U" | "D" | "E"
  target: { type: string; id: string | null; label: string | null }
  patient_profile_id: string | null
  outcome: "success" | "failure"
  reason: string | null
  source_ip: string | null
  user_agent: string | null
  request_id: string | null
  changes: { field: string; before: unknown; after: unknown }[] | null
  erased: boolean
  prev_hash: string | null
  hash: string | null
}

export interface AuthorizationUrl {
  authorization_url: string
  integration_id: string
}

export interface AutomationDefinition {
  name: string
  trigger: { event: string; filter?: Record<string, string[]> }
  conditions: { mode: "all" | "any"; rules: ({ path: string; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown })[] }
  actions: ({ type: "send_mail" | "notify_members" | "create_form" | "send_webhook" | "wait"; params: { to?: "patient" | "members"; permission?: string; kind?: "care" | "marketing"; subject?: string; text?: string; form_template_id?: string; subscription_uid?: string; minutes?: number; before_appointment_minutes?: number }; on_error?: "stop" | "continue"; max_retries?: number })[]
  delay_minutes: number
}

export interface AutomationExecution {
  id: string
  rule_id: string
  rule_version: number
  event_id: string
  event: string
  status: "queued" | "running" | "paused" | "succeeded" | "failed" | "skipped" | "canceled" | "timed_out"
  skip_reason: "conditions" | "loop" | "quota" | "patient_restricted" | "appointment_cancelled" | "late" | null
  patient_profile_id: string | null
  started_at: string | null
  finished_at: string | null
  retried_from_id: string | null
  is_held: boolean
  created_at: string
  steps: AutomationStep[]
}

export interface AutomationRule {
  id: string
  name: string
  trigger: { event: string; filter?: Record<string, string[]> }
  conditions: { mode: "all" | "any"; rules: ({ path: string; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown })[] }
  actions: ({ type: "send_mail" | "notify_members" | "create_form" | "send_webhook" | "wait"; params: { to?: "patient" | "members"; permission?: string; kind?: "care" | "marketing"; subject?: string; text?: string; form_template_id?: string; subscription_uid?: string; minutes?: number; before_appointment_minutes?: number }; on_error?: "stop" | "continue"; max_retries?: number })[]
  delay_minutes: number
  is_active: boolean
  version: number
  created_at: string
  updated_at: string
  problems: ({ field: string; code: "subscription_not_found" | "subscription_inactive" | "form_template_not_usable" | "permission_not_found" | "permission_not_held"; message: string })[]
}

export interface AutomationRuleChanges {
  name?: string
  trigger?: { event: string; filter?: Record<string, string[]> }
  conditions?: { mode: "all" | "any"; rules: ({ path: string; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown })[] }
  actions?: ({ type: "send_mail" | "notify_members" | "create_form" | "send_webhook" | "wait"; params: { to?: "patient" | "members"; permission?: string; kind?: "care" | "marketing"; subject?: string; text?: string; form_template_id?: string; subscription_uid?: string; minutes?: number; before_appointment_minutes?: number }; on_error?: "stop" | "continue"; max_retries?: number })[]
  delay_minutes?: number
  is_active?: boolean
  version?: number
}

export interface AutomationRuleVersion {
  version: number
  definition: AutomationDefinition
  created_at: string
}

export interface AutomationSimulation {
  since: string
  patient_id?: string
}

export interface AutomationStep {
  index: number
  type: "send_mail" | "notify_members" | "create_form" | "send_webhook" | "wait"
  status: "running" | "waiting" | "succeeded" | "failed" | "skipped"
  attempts: number
  error: string | null
  started_at: string
  finished_at: string | null
}

export interface Availability {
  data: AvailableSlot[]
  days: { date: string; free: number }[]
}

export interface AvailableSlot {
  starts_at: string
  ends_at: string
  specialist_id: string
  location_id: string | null
}

export interface BodyRegionSummary {
  id: string
  name: string
  slug: string
  body_area: "upper_body" | "lower_body" | "core" | "full_body"
}

export interface Booker {
  name: string
  email: string
  phone?: string | null
  language?: "en" | "ro" | null
}

export interface Booking {
  reference: string
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  starts_at: string
  ends_at: string
  time_zone: string
  mode: "in_person" | "video" | "phone"
  organization: { name: string; slug: string }
  service: { id: string; name: string }
  specialist: { id: string; name: string } | null
  location: Place | null
  price_cents: number | null
  currency: string
  cancel_until: string
  reschedule_until: string
  calendar_uid: string
  calendar_sequence: number
}

export interface BookingMove {
  hold_id: string
}

export interface Branding {
  name: string
  slug: string
  language_code: string
  brand_color: string | null
  logo_url: string | null
  phone: string | null
  emergency_number: string
  formats: ClinicFormats
}

export interface BreakGlassGrant {
  id: string
  organization: { id: string; name: string }
  patient_id: string | null
  opened_by: { principal_id: string; name: string | null }
  reason: string
  status: "active" | "ended" | "expired"
  created_at: string
  expires_at: string
  ended_at: string | null
}

export interface Bundle {
  exercise: string
  asset_version: number
  manifest: CompositionManifest
  files: BundleFile[]
  slots: { slot: string; variants: number[]; problems: string[]; warnings: string[] }[]
}

export interface BundleFile {
  name: string
  bytes: number
  duration_seconds: number | null
}

export interface Calendar {
  id: string
  organization_id: string
  specialist_id: string
  name: string
  location_id: string | null
  service_ids: string[]
  is_active: boolean
  time_zone: string
  weekly_hours: WeeklyWindow[]
  overrides: CalendarOverride[]
  created_at: string
  updated_at: string
  version: number
}

export interface CalendarBusy {
  specialist_id: string
  from: string
  to: string
  kind: "hold" | "external"
}

export interface CalendarChanges {
  name?: string
  location_id?: string | null
  service_ids?: string[]
  is_active?: boolean
  version?: number
}

export interface CalendarFeed {
  url: string
  created_at: string
}

export interface CalendarOverride {
  id: string
  date: string
  date_to: string | null
  windows: HoursWindow[]
  service_id: string | null
  reason: string | null
}

export interface CalendarTaken {
  specialist_id: string | null
  day: string
  visits: number
  spans: { from: string; to: string }[]
}

export interface CalendarView {
  visits?: CalendarVisit[]
  taken?: CalendarTaken[]
  specialists: { id: string; name: string; hours: { from: string; to: string }[] }[]
  busy: CalendarBusy[]
  closures: ({ id: string; date: string; date_to: string | null; location_id: string | null; name: string })[]
  services: ({ id: string; name: string; duration_minutes: number; translations: ServiceTranslations; color: string | null })[]
}

export interface CalendarVisit {
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  mode: "in_person" | "video" | "phone"
  starts_at: string
  ends_at: string
  service_id: string
  patient: { id: string; name: string; last_name: string } | null
  is_first: boolean | null
  forms_open: number | null
  missing_consents: string[]
  version: number
  booker_name: string | null
  location_id: string | null
  series_id: string | null
  specialist_id: string | null
  has_note: boolean
  id: string
  phone: string | null
}

export interface CanceledExecutions {
  canceled: number
  remaining: number
}

export interface CancelledSeries {
  cancelled: Appointment[]
  left: ({ id: string; starts_at: string | null; status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"; reason: "has_begun" | "is_over" })[]
}

export interface ChangedPatientProfile {
  patient_id: string
  profile: Values
  version: number
}

export interface ChangedSpecialistProfile {
  specialist_id: string
  profile: Values
  version: number
}

export interface CheckedDomain {
  id: string
  domain: string
  status: "pending" | "verified" | "failed"
  txt_record: { name: string; type: "TXT"; value: string }
  verified_at: string | null
  last_checked_at: string | null
  record_missing_since: string | null
  created_at: string
  updated_at: string
  problem: string | null
}

export interface ClinicFormats {
  date: "dmy" | "mdy" | "ymd"
  clock: "24h" | "12h"
  week: "monday" | "saturday" | "sunday"
}

export interface ClinicFormatsChanges {
  date?: "dmy" | "mdy" | "ymd"
  clock?: "24h" | "12h"
  week?: "monday" | "saturday" | "sunday"
}

export interface ClinicImage {
  id: string
  name: string
  mime: string
  size: number
  width: number
  height: number
  created_at: string
}

export interface ClinicRun {
  id: string
  patient: { id: string; name: string }
  treatment_plan_id: string
  plan_session_id: string
  session_title: string
  exercise_names: string[]
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  exercises: ExerciseCounts
  repetitions: DoneRepetitions
  started_at: string
  ended_at: string | null
  last_event_at: string
  worst_pain: number | null
  warning: boolean
  incomplete: boolean | null
  replay_available: boolean
}

export interface Closure {
  id: string
  date: string
  date_to: string | null
  location_id: string | null
  name: string
  created_at: string
  updated_at: string
  version: number
}

export interface ClosureChanges {
  date?: string
  date_to?: string | null
  location_id?: string | null
  name?: string
  version?: number
}

export interface CohortAdherence {
  period: StatsPeriod
  exercises: ({ exercise_id: string; exercise_name: string; patients: number; assigned: number; completed: number; skipped: number; abandoned: number; completion_rate: number | null; measured: number; repetition_adherence: number | null; median_range_degrees: number | null })[]
}

export interface Composed {
  video_id: string
  id: string
  exercise: string
  asset_version: number
  language: string
  sets: CompositionSet[]
  seed: number
  status: "queued" | "rendering" | "uploading" | "transcoding" | "ready" | "failed" | "cancelled"
  progress: number
  stage: "normalising" | "joining" | "checking" | "uploading" | "transcoding" | null
  duration_seconds: number | null
  playback_hls_url: string
  poster_url: string | null
  captions: string[]
  waiting: { for: "host" | "disk"; until: string } | null
  error: { code: string; message: string } | null
  created_at: string
  updated_at: string
}

export interface ComposerHealth {
  status: "healthy" | "unhealthy"
}

export interface ComposerReadiness {
  ready: boolean
  checks: { postgresql: "healthy" | "unhealthy"; object_store: "healthy" | "unhealthy"; identity: "healthy" | "unhealthy" }
  renderer: { ffmpeg: string | null; sandbox: "full" | "without_user_namespace" | "forbidden" | "not_installed" | "unknown_processor" | null; message: string }
}

export interface CompositionManifest {
  manifest_version: 1
  exercise: string
  kind: "reps_based" | "duration_based" | "static"
  languages: string[]
  laterality?: "bilateral" | "unilateral"
  reps_per_video_block?: number
  counts_per_audio_master?: number
  hold_seconds?: number
  holds_per_video_block?: number
  max_holds?: number
}

export interface CompositionPreview {
  exercise: string
  asset_version: number
  duration_seconds: number
  missing: string[]
  items: { slot: string; variant: number; file: string; start_seconds: number; duration_seconds: number }[]
}

export interface CompositionSet {
  side: "left" | "right"
  reps: number
}

export interface ConditionSummary {
  id: string
  name: string
  slug: string
  icd10_code: string | null
}

export interface ConnectionTest {
  ok: boolean
  error_code: string | null
  duration_ms: number
}

export interface Consent {
  id: string
  organization_id: string | null
  patient_profile_id: string
  purpose_code: string
  purpose_version: number
  source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api"
  source_form_id: string | null
  granted_at: string
  granted_by_principal_id: string | null
  granted_via_ip: string | null
  withdrawn_at: string | null
  withdrawn_by_principal_id: string | null
  withdrawal_reason: string | null
  created_at: string
}

export interface ConsentPurpose {
  code: "platform_terms" | "platform_privacy_notice" | "org_terms" | "org_privacy_notice" | "marketing_email" | "marketing_sms" | "analytics" | "ai_processing" | "telemedicine" | "video_recording" | "biometric_capture" | "telerehab"
  scope: "platform" | "org"
  name: string
  description: string
  legal_basis: "contract" | "legitimate_interest" | "consent" | "legal_obligation" | "vital_interest"
  withdrawable: boolean
  required: boolean
  created_at: string
  current: { organization_id: string | null; version: number; body: string; body_translations: Translations; published_at: string } | null
}

export interface ConsentPurposeVersion {
  id: string
  purpose_code: "platform_terms" | "platform_privacy_notice" | "org_terms" | "org_privacy_notice" | "marketing_email" | "marketing_sms" | "analytics" | "ai_processing" | "telemedicine" | "video_recording" | "biometric_capture" | "telerehab"
  organization_id: string | null
  version: number
  body_translations: Translations
  published_at: string
  published_by_principal_id: string | null
}

export interface ConsentReceipt {
  consent_id: string
  patient_profile_id: string
  organization_id: string | null
  organization_name: string | null
  purpose_code: string
  purpose_name: string
  purpose_version: number
  language: "en" | "ro"
  body: string
  source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api"
  granted_at: string
  withdrawn_at: string | null
  issued_at: string
}

export interface ConsentState {
  organization_id: string | null
  purpose_code: string
  scope: "platform" | "org"
  legal_basis: "contract" | "legitimate_interest" | "consent" | "legal_obligation" | "vital_interest"
  withdrawable: boolean
  current: { id: string; purpose_version: number; granted_at: string; source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api" } | null
  history: ({ id: string; purpose_version: number; granted_at: string; withdrawn_at: string | null; source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api" })[]
}

export interface ConsentStates {
  data: ConsentState[]
}

export interface Consents {
  data: Consent[]
}

export interface Contraindication {
  id: string
  condition: ConditionSummary
  description: string | null
  severity: "contraindicated" | "relative" | "precaution"
  stages: ("acute" | "subacute" | "strength" | "return_to_activity" | "maintenance")[] | null
  until_cleared_for: "movement" | "stretching" | "load" | "full_load" | null
  tagged_by_principal_id: string | null
  tagged_at: string
  clinical_basis: string | null
  source: string | null
  translations: ContraindicationTranslations
}

export type ContraindicationTranslations = Record<string, { description?: string; clinical_basis?: string }>

export interface Contraindications {
  contraindications: Contraindication[]
}

export interface CreatedApiKey {
  id: string
  name: string
  prefix: string
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  key: string
}

export interface CreatedBooking {
  reference: string
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  starts_at: string
  ends_at: string
  time_zone: string
  mode: "in_person" | "video" | "phone"
  organization: { name: string; slug: string }
  service: { id: string; name: string }
  specialist: { id: string; name: string } | null
  location: Place | null
  price_cents: number | null
  currency: string
  cancel_until: string
  reschedule_until: string
  calendar_uid: string
  calendar_sequence: number
  manage_url: string
}

export interface CreatedIntegration {
  id: string
  organization_id: string
  service_slug: string
  auth_type: "api_key" | "webhook_in_only" | "oauth2"
  status: "pending" | "connected" | "expired" | "revoked" | "error"
  title: string
  config: Record<string, unknown>
  external_account: { id: string; label: string | null } | null
  scopes: string[]
  has_credentials: boolean
  token_expires_at: string | null
  connected_at: string | null
  last_health_check_at: string | null
  last_error_code: string | null
  last_error_at: string | null
  failure_count: number
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  version: number
  inbound?: InboundAccess
}

export interface CustomField {
  id: string
  organization_id: string
  entity_type: "patient" | "specialist" | "appointment" | "organization"
  key: string
  field_type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone"
  label: string
  description: string | null
  is_private: boolean
  sort_order: number
  options: string[] | null
  system_key: string | null
  version: number
  published: boolean
  created_at: string
  updated_at: string
  revision: number
}

export interface CustomFieldChanges {
  label?: string
  description?: string | null
  is_private?: boolean
  sort_order?: number
  options?: string[] | null
  key?: never
  entity_type?: never
  field_type?: never
  system_key?: never
  revision?: number
}

export interface CustomFieldVersion {
  version: number
  published_at: string
  fields: { key: string; field_type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone"; label: string; description: string | null; is_private: boolean; sort_order: number; options: string[] | null; system_key: string | null }
}

export interface CustomFields {
  fields: CustomField[]
}

export interface DefaultPdfTemplate {
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  blocks: PdfBlock[]
}

export interface DeletedForm {
  id: string
  message: string
}

export interface DeletedFormFile {
  field_key: string
  message: string
}

export interface DeletedSpecialist {
  id: string
  message: string
  deleted_at: string
}

export type DocumentRequest = { pdf_template_id?: string; language?: "en" | "ro" } | null

export interface DocumentVerification {
  valid: boolean
  issued_at: string | null
  issued_by: string | null
  clinic: string | null
  sha256: string | null
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate" | null
  pages: number | null
  size: number | null
}

export interface Domain {
  id: string
  domain: string
  status: "pending" | "verified" | "failed"
  txt_record: { name: string; type: "TXT"; value: string }
  verified_at: string | null
  last_checked_at: string | null
  record_missing_since: string | null
  created_at: string
  updated_at: string
}

export interface DoneRepetitions {
  measured: number | null
  tapped: number | null
}

export interface EndedExercise {
  id: string
  outcome: "completed" | "skipped" | "abandoned"
  repetitions: number | null
}

export interface EndedRun {
  id: string
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  started_at: string
  ended_at: string | null
}

export interface EraseAccount {
  confirm: string
}

export interface ErasedAccount {
  erased_at: string
}

export interface ErasureCertificate {
  request_id: string
  organization_id: string
  patient_id: string
  requested_at: string
  erased_at: string
  classes: ({ name: string; label: string; strategy: "delete" | "null" | "pseudonymise" | "keep"; rows: number; legal_reason: string | null })[]
  files_deleted: number
  hash: string
}

export interface EvaluationQueued {
  status: "queued" | "running" | "completed" | "failed"
  job_id: string
  estimated_time: number
}

export interface EvaluationStatus {
  job_id: string
  status: "queued" | "running" | "completed" | "failed"
  started_at: string | null
  completed_at: string | null
  duration_ms: number | null
  members_added: number | null
  members_removed: number | null
  failing_rule: Record<string, unknown> | null
  error: string | null
}

export interface ExecutionBulkRetry {
  since?: string
  until?: string
}

export interface ExecutionRetry {
  from: "start" | "failed_step"
}

export interface Exercise {
  id: string
  organization_id: string | null
  name: string
  slug: string
  description: string | null
  difficulty: "beginner" | "intermediate" | "advanced" | null
  estimated_duration_seconds: number | null
  kind: "reps_based" | "duration_based" | "static"
  status: "draft" | "published" | "archived"
  video_url: string | null
  video_provider: string | null
  video_duration_seconds: number | null
  video_thumbnail_url: string | null
  cloned_from_id: string | null
  translations: Record<string, { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string }>
  categories: TagSummary[]
  body_regions: BodyRegionSummary[]
  equipment: TagSummary[]
  movement_patterns: TagSummary[]
  recovery_phases: TagSummary[]
  conditions: ConditionSummary[]
  skill_prerequisites: TagSummary[]
  prerequisites: PrerequisiteSummary[]
  contraindications: Contraindication[]
  pose_config: { id: string; tracking_enabled: boolean; engine_code: string; status: string; pinned_asset_version: string | null } | null
  created_at: string
  updated_at: string
  version: number
  instructions_summary: string | null
  default_dose: { sets?: number; reps?: number; hold_seconds?: number; rest_seconds?: number } | null
  progression: string | null
  regression: string | null
  source: string | null
  created_by_user_id: string | null
  instructions: Instruction[]
}

export interface ExerciseBodyRegion {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
  body_area: "upper_body" | "lower_body" | "core" | "full_body"
}

export interface ExerciseBodyRegionChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  body_area?: "upper_body" | "lower_body" | "core" | "full_body"
  version?: number
}

export interface ExerciseCategory {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
  parent_id: string | null
  children: ({ id: string; organization_id: string | null; slug: string; name: string; description: string | null; sort_order: number; translations: Record<string, { name?: string; description?: string }>; status: "active" | "deprecated"; deprecated_at: string | null; replaced_by_id: string | null; created_at: string; updated_at: string; version: number; parent_id: string | null; children: ({ id: string; organization_id: string | null; slug: string; name: string; description: string | null; sort_order: number; translations: Record<string, { name?: string; description?: string }>; status: "active" | "deprecated"; deprecated_at: string | null; replaced_by_id: string | null; created_at: string; updated_at: string; version: number; parent_id: string | null; children: ({ id: string; organization_id: string | null; slug: string; name: string; description: string | null; sort_order: number; translations: Record<string, { name?: string; description?: string }>; status: "active" | "deprecated"; deprecated_at: string | null; replaced_by_id: string | null; created_at: string; updated_at: string; version: number; parent_id: string | null; children: unknown[] })[] })[] })[]
}

export interface ExerciseCategoryChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  parent_id?: string | null
  version?: number
}

export interface ExerciseChanges {
  name?: string
  slug?: string
  description?: string | null
  instructions_summary?: string | null
  default_dose?: { sets?: number; reps?: number; hold_seconds?: number; rest_seconds?: number } | null
  progression?: string | null
  regression?: string | null
  source?: string | null
  difficulty?: "beginner" | "intermediate" | "advanced" | null
  estimated_duration_seconds?: number | null
  kind?: "reps_based" | "duration_based" | "static"
  status?: "draft" | "published" | "archived"
  translations?: { en?: { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string }; ro?: { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string } }
  category_ids?: string[]
  body_region_ids?: string[]
  equipment_ids?: string[]
  movement_pattern_ids?: string[]
  recovery_phase_ids?: string[]
  condition_ids?: string[]
  skill_prerequisite_ids?: string[]
  version?: number
}

export type ExerciseClone = { name?: string; slug?: string } | null

export interface ExerciseCondition {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
  icd10_code: string | null
  body_region_id: string | null
  parent_id: string | null
}

export interface ExerciseConditionChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  icd10_code?: string | null
  body_region_id?: string | null
  parent_id?: string | null
  version?: number
}

export interface ExerciseCounts {
  total: number
  completed: number
  skipped: number
  abandoned: number
}

export interface ExerciseEquipment {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
  icon_url: string | null
}

export interface ExerciseEquipmentChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  icon_url?: string | null
  version?: number
}

export interface ExerciseEvent {
  id: string
  session_exercise_id: string
  type: "started" | "completed" | "skipped" | "abandoned" | "paused_for_pain"
  client_event_id: string | null
  occurred_at: string
  data: { sets_completed?: number; repetitions_completed?: number; repetitions_tapped?: number; duration_seconds?: number }
}

export interface ExerciseMovementPattern {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface ExerciseMovementPatternChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  version?: number
}

export interface ExerciseRecoveryPhase {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface ExerciseRecoveryPhaseChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  version?: number
}

export interface ExerciseSkillPrerequisite {
  id: string
  organization_id: string | null
  slug: string
  name: string
  description: string | null
  sort_order: number
  translations: Record<string, { name?: string; description?: string }>
  status: "active" | "deprecated"
  deprecated_at: string | null
  replaced_by_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface ExerciseSkillPrerequisiteChanges {
  slug?: string
  name?: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  version?: number
}

export interface ExerciseStatusChange {
  status: "draft" | "published" | "archived"
  version?: number
}

export interface ExerciseSummary {
  id: string
  organization_id: string | null
  name: string
  slug: string
  description: string | null
  difficulty: "beginner" | "intermediate" | "advanced" | null
  estimated_duration_seconds: number | null
  kind: "reps_based" | "duration_based" | "static"
  status: "draft" | "published" | "archived"
  video_url: string | null
  video_provider: string | null
  video_duration_seconds: number | null
  video_thumbnail_url: string | null
  cloned_from_id: string | null
  translations: Record<string, { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string }>
  categories: TagSummary[]
  body_regions: BodyRegionSummary[]
  equipment: TagSummary[]
  movement_patterns: TagSummary[]
  recovery_phases: TagSummary[]
  conditions: ConditionSummary[]
  skill_prerequisites: TagSummary[]
  prerequisites: PrerequisiteSummary[]
  contraindications: Contraindication[]
  pose_config: { id: string; tracking_enabled: boolean; engine_code: string; status: string; pinned_asset_version: string | null } | null
  created_at: string
  updated_at: string
  version: number
  contraindications_count: number
  instructions_count: number
}

export interface ExerciseTag {
  tag_type: "category" | "body_region" | "equipment" | "movement_pattern" | "recovery_phase" | "condition" | "skill_prerequisite"
  tag_id: string
  name: string
  slug: string
  tagged_by_principal_id: string | null
  tagged_at: string
  clinical_basis: string | null
}

export interface ExerciseVideo {
  video_url: string | null
  video_provider: string | null
  video_duration_seconds: number | null
  video_thumbnail_url: string | null
}

export interface Exercises {
  exercises: ExerciseSummary[]
  total: number
  page: number
  limit: number
  total_pages: number
}

export interface ExplainedAvailability {
  data: AvailableSlot[]
  days: { date: string; free: number }[]
  unavailable?: UnavailableSlot[]
}

export interface ExportManifest {
  created_at: string
  organization: { id: string; name: string }
  patient_id: string
  request_id: string
  files: ({ name: string; rows: number | null; bytes: number; sha256: string })[]
  left_out: { name: string; reason: string }[]
}

export interface Form {
  id: string
  title: string
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  status: "pending" | "in_progress" | "completed" | "signed"
  template_version: number
  form_template_id: string
  appointment_id: string | null
  patient_profile_id: string
  amends_form_id: string | null
  amended_by_form_id: string | null
  amended_at: string | null
  fields: FormQuestion[]
  translations: FormTranslations
  values: Record<string, unknown>
  files: Record<string, FormFile>
  consent_purposes: FormConsent[]
  completed_at: string | null
  signed_by: "staff" | "patient"
  signed_at: string | null
  signed_by_principal_id: string | null
  created_by_principal_id: string | null
  created_at: string
  version: number
}

export interface FormConsent {
  purpose_code: string
  purpose_version: number
}

export interface FormField {
  key: string
  label?: string | null
  type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone" | "file"
  required?: boolean | null
  private?: boolean | null
  read_only?: boolean | null
  help_text?: string | null
  section?: string | null
  visible_when?: VisibleWhen | null
  custom_field_id?: string | null
  default?: string | number | string[] | null
  options?: string[] | null
  min?: number | string | null
  max?: number | string | null
  min_length?: number | null
  max_length?: number | null
  pattern?: string | null
  max_file_size?: number | null
  allowed_file_types?: string[] | null
}

export interface FormFile {
  s3_key: string
  name: string
  size: number
  mime: string
  uploaded_at: string
}

export interface FormQuestion {
  key: string
  label?: string | null
  type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone" | "file"
  required?: boolean | null
  private?: boolean | null
  read_only?: boolean | null
  help_text?: string | null
  section?: string | null
  visible_when?: VisibleWhen | null
  custom_field_id?: string | null
  default?: string | number | string[] | null
  options?: string[] | null
  min?: number | string | null
  max?: number | string | null
  min_length?: number | null
  max_length?: number | null
  pattern?: string | null
  max_file_size?: number | null
  allowed_file_types?: string[] | null
  version?: number
  field_type?: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone"
}

export interface FormSave {
  values: Record<string, unknown>
  version?: number
}

export type FormSignature = { completed_at?: string } | null

export interface FormSummary {
  id: string
  title: string
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  status: "pending" | "in_progress" | "completed" | "signed"
  appointment_id: string | null
  patient_profile_id: string
  patient: { id: string; name: string }
  form_template_id: string
  translations: Record<string, { title: string }>
  amends_form_id: string | null
  amended_by_form_id: string | null
  amended_at: string | null
  created_at: string
  completed_at: string | null
  signed_at: string | null
  appointment?: { id: string } | null
}

export interface FormTemplate {
  id: string
  organization_id: string
  title: string
  description: string | null
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  signed_by: "staff" | "patient"
  status: "draft" | "published" | "archived"
  version: number
  published_at: string | null
  published_by_principal_id: string | null
  created_at: string
  updated_at: string
  revision: number
  fields: FormField[]
  translations: FormTranslations
  consent_purposes: string[]
}

export interface FormTemplateChoice {
  id: string
  name: string
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  version: number
}

export interface FormTemplateDetails {
  title: string
  description?: string | null
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  fields: FormField[]
  translations?: FormTranslations | null
  consent_purposes?: string[] | null
  signed_by?: "staff" | "patient" | null
  revision?: number | null
}

export interface FormTemplateSummary {
  id: string
  organization_id: string
  title: string
  description: string | null
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  signed_by: "staff" | "patient"
  status: "draft" | "published" | "archived"
  version: number
  published_at: string | null
  published_by_principal_id: string | null
  created_at: string
  updated_at: string
  revision: number
}

export interface FormTemplateVersion {
  version: number
  title: string
  description: string | null
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  signed_by: "staff" | "patient"
  published_at: string
  published_by_principal_id: string | null
  fields: FormField[]
  translations: FormTranslations
  consent_purposes: string[]
}

export interface FormTemplateVersionSummary {
  version: number
  title: string
  description: string | null
  type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"
  signed_by: "staff" | "patient"
  published_at: string
  published_by_principal_id: string | null
}

export type FormTranslations = Record<string, { title?: string | null; description?: string | null; sections?: Record<string, string> | null; fields?: Record<string, { label?: string | null; help_text?: string | null; options?: Record<string, string> | null }> | null }>

export interface FormVerification {
  id: string
  status: "pending" | "in_progress" | "completed" | "signed"
  valid: boolean
  changed_files: string[]
  seal: string | null
  signed_at: string | null
  signed_by_principal_id: string | null
}

export interface FramesAccepted {
  frames_accepted: number
  session_id: string
  buffer_position_bytes: number
}

export interface Health {
  status: "healthy" | "degraded" | "unhealthy"
  checks: { postgresql: { status: "healthy" | "unhealthy"; metrics: { total_conns: number; acquired_conns: number; idle_conns: number; max_conns: number; utilization_pct: number } }; redis: { status: "healthy" | "unhealthy" | "disabled" } }
  uptime_seconds: number
}

export interface Hold {
  id: string
  service_id: string
  specialist_id: string
  location_id: string | null
  mode: "in_person" | "video" | "phone"
  starts_at: string
  ends_at: string
  status: "active" | "converted" | "released" | "expired"
  expires_at: string
  created_at: string
}

export interface HoursWindow {
  start: string
  end: string
}

export interface Impersonation {
  token: string
  expires_at: string
}

export interface ImpersonationRequest {
  reason: string
}

export interface InboundAccess {
  url: string
  signing_secret: string
}

export interface InboundReceipt {
  id: string
  duplicate: boolean
}

export interface Instruction {
  id: number
  sort_order: number
  title: string | null
  content: string
  image_url: string | null
  instruction_type: "preparation" | "step" | "form_cue" | "safety"
  translations: Record<string, { title?: string; content?: string }>
  created_at: string
  version: number
}

export interface InstructionChanges {
  sort_order?: number
  title?: string | null
  content?: string
  instruction_type?: "preparation" | "step" | "form_cue" | "safety"
  translations?: { en?: { title?: string; content?: string }; ro?: { title?: string; content?: string } }
  version?: number
}

export interface InstructionImage {
  image_url: string
}

export interface InstructionOrder {
  instruction_ids: number[]
}

export interface Instructions {
  instructions: Instruction[]
}

export interface Integration {
  id: string
  organization_id: string
  service_slug: string
  auth_type: "api_key" | "webhook_in_only" | "oauth2"
  status: "pending" | "connected" | "expired" | "revoked" | "error"
  title: string
  config: Record<string, unknown>
  external_account: { id: string; label: string | null } | null
  scopes: string[]
  has_credentials: boolean
  token_expires_at: string | null
  connected_at: string | null
  last_health_check_at: string | null
  last_error_code: string | null
  last_error_at: string | null
  failure_count: number
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface IntegrationChanges {
  title?: string
  config?: Record<string, unknown>
  version?: number
}

export interface IntegrationEvent {
  id: string
  from_status: "pending" | "connected" | "expired" | "revoked" | "error" | null
  to_status: "pending" | "connected" | "expired" | "revoked" | "error"
  reason: string
  actor_principal_id: string | null
  occurred_at: string
}

export interface IntegrationPagination {
  page: number
  limit: number
  offset: number
  total: number
}

export interface IntegrationService {
  slug: string
  name: string
  description: string
  auth_type: "api_key" | "webhook_in_only" | "oauth2"
  provider: string | null
  config_schema: Record<string, unknown>
  credentials_schema: Record<string, unknown>
  scopes: string[]
  capabilities: string[]
  is_available: boolean
}

export interface LeaveClinic {
  confirm: true
  reason?: string | null
}

export interface LeftClinic {
  organization_id: string
  left_at: string
}

export interface LibraryView {
  media_id: string
  viewed_at: string
  duration_seconds?: number
}

export interface LinkMyBooking {
  patient_id?: string
}

export interface LinkPatient {
  patient_id: string
}

export interface LinkedRecord {
  id: string
  patient_profile_id: string
  name: string
  created_at: string
  deleted_at: string | null
  is_main: boolean
}

export interface Location {
  id: string
  name: string
  address: Address | null
  phone: string | null
  email: string | null
  time_zone: string | null
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface LocationChanges {
  name?: string
  address?: Address | null
  phone?: string | null
  email?: string | null
  time_zone?: string | null
  version?: number
}

export interface LocationChoice {
  id: string
  name: string
}

export interface Mail {
  id: string
  template: string
  kind: "care" | "account" | "marketing"
  language: string
  status: "queued" | "sending" | "sent" | "failed" | "suppressed"
  to_masked: string
  attempts: number
  provider: string | null
  last_error: string | null
  created_at: string
  sent_at: string | null
  next_attempt_at: string
}

export interface MarkedAttention {
  key: string
  mark: { state: "done" | "snoozed" | "open"; by: { id: string; name: string | null }; at: string; until: string | null }
}

export interface Me {
  principal_id: string
  type: "human" | "service"
  name: string | null
  email: string | null
  email_verified: boolean
  preferred_language: string | null
  language: "en" | "ro"
  is_superadmin: boolean
  current_organization: { id: string; name: string; slug: string; language_code: string; time_zone: string; formats: ClinicFormats } | null
  permissions: string[]
  memberships: ({ organization: { id: string; name: string; slug: string; language_code: string; time_zone: string; formats: ClinicFormats }; role: { id: string; code: string; name: string }; specialist_id: string | null; created_at: string })[]
  patient_records: { organization_id: string; patient_id: string; organization: { id: string; name: string; slug: string; language_code: string; time_zone: string; formats: ClinicFormats } }[]
}

export interface MediaAccepted {
  status: "accepted"
  session_id: string
}

export interface MediaEvent {
  event: "session_start" | "video_played" | "video_paused" | "buffering_start" | "buffering_end" | "quality_change" | "watch_pct_25" | "watch_pct_50" | "watch_pct_75" | "watch_pct_95" | "page_visible" | "page_hidden" | "dropped_frames" | "session_end"
  session_id: string
  media_id: string
  media_type: string
  timestamp: string
  data?: { total_duration_seconds?: number; ttfb_ms?: number; video_load_time_ms?: number; cdn_response_time_ms?: number; connection_type?: string; effective_bandwidth?: number; rtt_ms?: number; initial_bitrate?: number; initial_resolution?: string } | { position_seconds?: number } | { position_seconds?: number; reason?: string } | { position_seconds?: number; reason?: "initial" | "seek" | "network" } | { position_seconds?: number; duration_ms?: number } | { previous_quality?: string; new_quality?: string; bitrate?: number; automatic?: boolean } | { position_seconds?: number; watched_seconds?: number } | { dropped?: number; total?: number; window_ms?: number } | { reason?: "completed" | "user_exit" | "error"; position_seconds?: number; watched_seconds?: number }
}

export interface MeetingLink {
  url: string
}

export interface Member {
  principal_id: string
  user_id: string
  type: "human" | "service"
  name: string | null
  email: string | null
  email_verified: boolean
  status: "invited" | "active"
  role: RoleSummary
  created_at: string
  updated_at: string
}

export interface MemberChoice {
  id: string
  name: string | null
  email: string | null
  role_name: string
}

export interface MyAppointment {
  id: string
  organization_id: string
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  mode: "in_person" | "video" | "phone"
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  patient_note: string | null
  price_cents: number | null
  currency: string
  missing_consents: string[]
  cancellation_reason: string | null
  rescheduled_to_id: string | null
  service: { id: string; name: string }
  specialist: { id: string; name: string } | null
  location: Place | null
  cancel_until: string | null
  reschedule_until: string | null
  can_join: boolean
  is_reviewed: boolean
  calendar_uid: string
  calendar_sequence: number
}

export interface MyAppointmentCancel {
  reason?: string | null
}

export interface MyAppointmentMove {
  hold_id: string
}

export interface MyBooking {
  id: string
  organization_id: string
  starts_at: string
  ends_at: string
  time_zone: string
  mode: "in_person" | "video" | "phone"
  status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"
  service: { id: string; name: string }
}

export interface MyChanges {
  name?: string
  preferred_language?: "en" | "ro" | null
}

export interface MyConsentState {
  organization_id: string | null
  purpose_code: string
  scope: "platform" | "org"
  legal_basis: "contract" | "legitimate_interest" | "consent" | "legal_obligation" | "vital_interest"
  withdrawable: boolean
  current: { id: string; purpose_version: number; granted_at: string; source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api" } | null
  history: ({ id: string; purpose_version: number; granted_at: string; withdrawn_at: string | null; source: "signup_checkbox" | "self_toggle" | "form" | "staff_action" | "api" })[]
  organization_name: string | null
  name: string
  description: string
  accepted_body: string | null
  text: { version: number; body: string; published_at: string } | null
  newer_text: boolean
  withdrawal: WithdrawalPreview | null
}

export interface MyConsentStates {
  data: MyConsentState[]
}

export interface MyExport {
  id: string
  organization_id: string
  status: "accepted" | "active" | "completed" | "error" | "cancelled"
  progress: number
  created_at: string
  completed_at: string | null
  expires_at: string | null
}

export interface MyExportDetails {
  id: string
  organization_id: string
  status: "accepted" | "active" | "completed" | "error" | "cancelled"
  progress: number
  created_at: string
  completed_at: string | null
  expires_at: string | null
  download_url: string | null
}

export interface MyGrants {
  grants: ({ organization_id: string | null; purpose_code: string; purpose_version: number; source: "signup_checkbox" | "self_toggle" })[]
}

export interface MyPatientRecord {
  id: string
  patient_profile_id: string
  organization: { id: string; name: string; slug: string }
  first_name: string
  last_name: string
  name: string
  email: string | null
  phone: string | null
  birth_date: string | null
  sex: "female" | "male" | "other" | "unknown" | null
  language_code: string | null
  address: Address | null
  has_national_id: boolean
  restricted_at: string | null
  created_at: string
  updated_at: string
}

export interface MyRunSummary {
  id: string
  treatment_plan: { id: string; title: string }
  program_id: string | null
  session: { id: string; title: string }
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  started_at: string
  ended_at: string | null
  last_event_at: string
  exercises: ExerciseCounts
  repetitions: DoneRepetitions
  active_seconds: number
  pain: { reports: number; max_severity: number | null }
  feedback: SessionFeedback | null
  pose: { exercises_measured: number; exercises_not_measured: number; repetitions: number | null; repetitions_to_target: number | null; not_visible_ms: number | null; range_mean_degrees: number | null; confidence: number | null } | null
  media: { is_complete: boolean; end_reason: string | null; started_at: string | null; ended_at: string | null; startup_ms: number | null; rebuffer_count: number; rebuffer_ms: number; rebuffer_pct: number | null; watch_seconds: number; unique_seconds: number; quality_switches: number; dropped_frame_pct: number | null; hidden_ms: number } | null
  organization: { id: string; name: string; slug: string }
}

export interface MyTreatmentPlan {
  id: string
  organization: { id: string; name: string; slug: string }
  title: string
  description: string | null
  status: "active" | "completed"
  starts_on: string | null
  ends_on: string | null
  has_ended: boolean
  activated_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
  sessions: ({ id: string; position: number; title: string; notes: string | null; exercises: ({ id: string; position: number; exercise_id: string; sets: number; reps: number | null; hold_seconds: number | null; rest_seconds: number; side: "left" | "right" | "both" | null; notes: string | null; name: string; description: string | null; instructions_summary: string | null; kind: "reps_based" | "duration_based" | "static"; difficulty: "beginner" | "intermediate" | "advanced" | null; tracking_enabled: boolean; video_url: string | null; video_provider: string | null; video_thumbnail_url: string | null; video_duration_seconds: number | null; instructions: ({ id: number; sort_order: number; title: string | null; content: string; image_url: string | null; instruction_type: "preparation" | "step" | "form_cue" | "safety" })[] })[] })[]
}

export interface MyTreatmentPlanSummary {
  id: string
  organization: { id: string; name: string; slug: string }
  title: string
  description: string | null
  status: "active" | "completed"
  starts_on: string | null
  ends_on: string | null
  has_ended: boolean
  activated_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
  sessions_count: number
}

export interface NewApiKey {
  name: string
  expires_at?: string | null
}

export interface NewAppointment {
  hold_id?: string
  service_id?: string
  specialist_id?: string
  location_id?: string | null
  patient_id?: string
  mode?: "in_person" | "video" | "phone"
  starts_at?: string
  status?: "waitlist" | "pending" | "confirmed" | "checked_in"
  wanted?: { specialist_ids?: string[]; windows?: { from: string; to: string }[] }
  repeat?: { every_weeks: number; count: number; on_conflict?: "fail" | "skip" }
  over_limit?: boolean
  title?: string | null
  notes?: string | null
  patient_note?: string | null
  meeting_url?: string | null
  overlap_allowed?: boolean
  custom_fields?: ProfileChanges
}

export interface NewAppointmentReview {
  rating: number
  comment?: string | null
}

export interface NewAuthorization {
  service_slug: string
  title: string
  config?: Record<string, unknown>
  return_path?: string
}

export interface NewAutomationRule {
  name: string
  trigger: { event: string; filter?: Record<string, string[]> }
  conditions?: { mode: "all" | "any"; rules: ({ path: string; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown })[] }
  actions: ({ type: "send_mail" | "notify_members" | "create_form" | "send_webhook" | "wait"; params: { to?: "patient" | "members"; permission?: string; kind?: "care" | "marketing"; subject?: string; text?: string; form_template_id?: string; subscription_uid?: string; minutes?: number; before_appointment_minutes?: number }; on_error?: "stop" | "continue"; max_retries?: number })[]
  delay_minutes?: number
  is_active?: boolean
}

export interface NewBooking {
  hold_id: string
  booker: { name: string; email: string; phone?: string | null }
  patient_note?: string | null
  language?: "en" | "ro"
}

export interface NewBreakGlassGrant {
  organization_id: string
  patient_id?: string | null
  reason: string
  minutes?: number
}

export interface NewCalendar {
  specialist_id: string
  name: string
  location_id?: string | null
  service_ids?: string[]
  is_active?: boolean
  weekly_hours?: WeeklyWindow[]
}

export interface NewCalendarOverride {
  date: string
  date_to?: string | null
  windows: HoursWindow[]
  service_id?: string | null
  reason?: string | null
}

export interface NewClosure {
  date: string
  date_to?: string | null
  location_id?: string | null
  name: string
}

export interface NewComposition {
  exercise: string
  language: string
  sets: CompositionSet[]
  seed: number
}

export interface NewConsentPurposeVersion {
  body_translations: { en?: string; ro?: string }
}

export interface NewContraindication {
  condition_id: string
  severity: "contraindicated" | "relative" | "precaution"
  description?: string | null
  clinical_basis?: string | null
  source?: string | null
  stages?: ("acute" | "subacute" | "strength" | "return_to_activity" | "maintenance")[] | null
  until_cleared_for?: "movement" | "stretching" | "load" | "full_load" | null
  translations?: { en?: { description?: string; clinical_basis?: string }; ro?: { description?: string; clinical_basis?: string } }
}

export interface NewCustomField {
  entity_type: "patient" | "specialist" | "appointment" | "organization"
  key: string
  label: string
  field_type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone"
  options?: string[] | null
  description?: string | null
  is_private?: boolean
  sort_order?: number
  system_key?: never
}

export interface NewDomain {
  domain: string
}

export interface NewErasure {
  patient_id: string
  reason: string
  confirm: "ERASE"
}

export interface NewExercise {
  name: string
  slug: string
  description?: string | null
  instructions_summary?: string | null
  default_dose?: { sets?: number; reps?: number; hold_seconds?: number; rest_seconds?: number } | null
  progression?: string | null
  regression?: string | null
  source?: string | null
  difficulty?: "beginner" | "intermediate" | "advanced" | null
  estimated_duration_seconds?: number | null
  kind?: "reps_based" | "duration_based" | "static"
  status?: "draft" | "published" | "archived"
  translations?: { en?: { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string }; ro?: { name?: string; description?: string; instructions_summary?: string; progression?: string; regression?: string } }
  category_ids?: string[]
  body_region_ids?: string[]
  equipment_ids?: string[]
  movement_pattern_ids?: string[]
  recovery_phase_ids?: string[]
  condition_ids?: string[]
  skill_prerequisite_ids?: string[]
}

export interface NewExerciseBodyRegion {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  body_area: "upper_body" | "lower_body" | "core" | "full_body"
}

export interface NewExerciseCategory {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  parent_id?: string | null
}

export interface NewExerciseCondition {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  icd10_code?: string | null
  body_region_id?: string | null
  parent_id?: string | null
}

export interface NewExerciseEquipment {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
  icon_url?: string | null
}

export interface NewExerciseEvent {
  client_event_id: string
  session_exercise_id: string
  type: "started" | "completed" | "skipped" | "abandoned" | "paused_for_pain"
  occurred_at?: string
  data?: { sets_completed?: number; repetitions_completed?: number; repetitions_tapped?: number; duration_seconds?: number }
}

export interface NewExerciseMovementPattern {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
}

export interface NewExerciseRecoveryPhase {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
}

export interface NewExerciseSkillPrerequisite {
  slug: string
  name: string
  description?: string | null
  sort_order?: number
  translations?: { en?: { name?: string; description?: string }; ro?: { name?: string; description?: string } }
}

export interface NewExerciseTag {
  tag_type: "category" | "body_region" | "equipment" | "movement_pattern" | "recovery_phase" | "condition" | "skill_prerequisite"
  tag_id: string
  clinical_basis?: string | null
}

export interface NewExport {
  patient_id: string
  reason?: string | null
}

export interface NewForm {
  form_template_id: string
  patient_profile_id: string
  appointment_id?: string | null
  amends_form_id?: string | null
}

export interface NewHold {
  service_id: string
  specialist_id?: string
  location_id?: string
  mode: "in_person" | "video" | "phone"
  starts_at: string
  minutes?: number
  over_limit?: boolean
}

export interface NewInstruction {
  sort_order: number
  title?: string | null
  content: string
  instruction_type: "preparation" | "step" | "form_cue" | "safety"
  translations?: { en?: { title?: string; content?: string }; ro?: { title?: string; content?: string } }
}

export interface NewIntegration {
  service_slug: string
  title: string
  config?: Record<string, unknown>
  credentials?: Record<string, unknown>
}

export interface NewIntegrationCredentials {
  credentials?: Record<string, unknown>
  version?: number
  config?: Record<string, unknown>
}

export interface NewLocation {
  name: string
  address?: Address | null
  phone?: string | null
  email?: string | null
  time_zone?: string | null
}

export interface NewMember {
  email: string
  role_id: string
  name?: string
}

export interface NewMyAppointment {
  hold_id: string
  patient_note?: string | null
}

export interface NewOrganization {
  name: string
  slug: string
  plan?: "free" | "pro" | "dedicated"
  language_code?: string
  time_zone?: string
  legal_name?: string | null
  contact_email?: string | null
  phone?: string | null
  website?: string | null
  address?: Address | null
}

export interface NewPainReport {
  severity: number
  action: "continue" | "rest" | "skip_exercise" | "end_session"
  session_exercise_id?: string | null
  note?: string | null
  warning_signs?: ("chest_pain" | "breathless" | "faint_or_dizzy" | "sudden_weakness_or_numbness" | "bladder_or_bowel" | "calf_swelling" | "fall")[]
  occurred_at?: string
  client_event_id?: string | null
}

export interface NewPatient {
  first_name: string
  last_name: string
  email?: string | null
  phone?: string | null
  birth_date?: string | null
  sex?: "female" | "male" | "other" | "unknown" | null
  language_code?: string | null
  address?: Address | null
  notes?: string | null
  lead_specialist_id?: string | null
  national_id?: string | null
  invite?: boolean
  allow_duplicate?: boolean
  consents?: StaffGrant[]
}

export interface NewPatientCondition {
  condition_id: string
  since?: string | null
  note?: string | null
  status?: "active" | "resolved" | "history"
  stage?: "acute" | "subacute" | "strength" | "return_to_activity" | "maintenance" | null
  cleared_for?: ("movement" | "stretching" | "load" | "full_load")[]
}

export interface NewPdfTemplate {
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  blocks: PdfBlock[]
}

export interface NewPlatformMembership {
  email?: string
  principal_id?: string
}

export interface NewPlatformServiceProvider {
  capability: string
  provider: string
  credentials?: Record<string, unknown>
  config?: Record<string, unknown>
}

export interface NewPoseConfig {
  tracking_enabled?: boolean
  status?: "draft" | "active"
  pinned_asset_version?: string | null
  config: Record<string, unknown>
}

export interface NewPrerequisite {
  prerequisite_exercise_id: string
  clinical_basis?: string | null
  translations?: { en?: { clinical_basis?: string }; ro?: { clinical_basis?: string } }
}

export interface NewPrivacyNoticeTemplate {
  body_with_placeholders: { en?: string; ro?: string }
  placeholders: { key: string; required: boolean; label: { en?: string; ro?: string } }[]
  toggleable_sections: { key: string; default: boolean; name: { en?: string; ro?: string }; body: { en?: string; ro?: string } }[]
}

export interface NewProduct {
  sku: string
  name: string
  price_cents: number
  description?: string | null
  currency?: string
  vat_rate?: number | null
  status?: "active" | "archived"
}

export interface NewProgram {
  name: string
  description?: string | null
  sessions?: ({ id?: string; title: string; notes?: string | null; exercises: ({ id?: string; exercise_id: string; sets?: number; reps?: number | null; hold_seconds?: number | null; rest_seconds?: number; side?: "left" | "right" | "both" | null; notes?: string | null })[] })[]
}

export interface NewPublicHold {
  organization: string
  service_id: string
  specialist_id?: string
  location_id?: string
  mode: "in_person" | "video" | "phone"
  starts_at: string
  moves_calendar_uid?: string
}

export interface NewReauthorization {
  return_path?: string
}

export interface NewRole {
  name: string
  code?: string
  description?: string | null
  permissions?: string[]
}

export interface NewSegment {
  name: string
  description?: string
  match_mode: "all" | "any"
  rules: (SegmentRuleOfProfile | SegmentRuleOfForm | SegmentRuleOfAppointments)[]
}

export interface NewService {
  name: string
  slug?: string
  duration_minutes: number
  description?: string | null
  translations?: ServiceTranslations
  buffer_before_minutes?: number
  buffer_after_minutes?: number
  slot_interval_minutes?: number
  min_notice_minutes?: number
  max_days_ahead?: number
  modes?: ("in_person" | "video" | "phone")[]
  specialist_ids?: string[]
  location_ids?: string[]
  specialty_id?: string | null
  requires_confirmation?: boolean
  cancel_notice_minutes?: number
  reschedule_notice_minutes?: number
  reminder_offsets_minutes?: number[] | null
  max_per_day?: number | null
  is_public?: boolean
  status?: "active" | "archived"
  color?: string | null
  intake_form_template_id?: string | null
  price_cents?: number | null
  currency?: string
}

export interface NewServiceAccount {
  name: string
  description?: string | null
  role_id: string
}

export interface NewServicePlan {
  name: string
  price_cents: number
  description?: string | null
  items?: { service_id: string; quantity: number }[]
  valid_days?: number | null
  billing?: "one_time" | "monthly"
  currency?: string
  status?: "draft" | "active" | "archived"
}

export interface NewServicePlanProduct {
  product_id: string
  quantity?: number
}

export interface NewSessionFeedback {
  perceived_exertion: number
  pain: number
  comment?: string | null
}

export interface NewSessionRun {
  plan_session_id: string
}

export interface NewSpecialist {
  name: string
  slug: string
  title?: string | null
  registration_number?: string | null
  description?: string | null
  human_id?: string | null
  specialty_ids?: string[]
  scheduling_timezone?: string
  scheduling_active?: boolean
  crm_name?: string | null
  meeting_url?: string | null
}

export interface NewSpecialty {
  title: string
  slug: string
  description?: string | null
}

export interface NewTreatmentPlan {
  patient_id: string
  program_id?: string | null
  title?: string
  description?: string | null
  starts_on?: string | null
  ends_on?: string | null
  sessions?: ({ id?: string; title: string; notes?: string | null; exercises: ({ id?: string; exercise_id: string; sets?: number; reps?: number | null; hold_seconds?: number | null; rest_seconds?: number; side?: "left" | "right" | "both" | null; notes?: string | null; override_reason?: string | null })[] })[]
}

export interface NewWebhookSubscription {
  url: string
  description?: string
  events: string[]
  rate_limit_per_second?: number | null
}

export interface Organization {
  id: string
  name: string
  slug: string
  language_code: string
  time_zone: string
  legal_name: string | null
  contact_email: string | null
  phone: string | null
  website: string | null
  address: Address | null
  plan: "free" | "pro" | "dedicated"
  created_at: string
  updated_at: string
  version: number
}

export interface OrganizationChanges {
  name?: string
  slug?: string
  language_code?: string
  time_zone?: string
  legal_name?: string | null
  contact_email?: string | null
  phone?: string | null
  website?: string | null
  address?: Address | null
  version?: number
}

export interface OrganizationPlan {
  plan: "free" | "pro" | "dedicated"
  name: string
  limits: ({ name: "max_specialists" | "max_unfinished_upload_mb"; max: number | null; current: number })[]
}

export interface OrganizationSettings {
  brand_color: string | null
  logo_url: string | null
  reminder_offsets_minutes: number[]
  feed_shows_details: boolean
  waitlist_offers: "off" | "auto"
  emergency_number: string
  formats: ClinicFormats
  updated_at: string | null
  version: number
}

export interface OrganizationSettingsChanges {
  brand_color?: string | null
  reminder_offsets_minutes?: number[]
  feed_shows_details?: boolean
  waitlist_offers?: "off" | "auto"
  emergency_number?: string
  formats?: ClinicFormatsChanges
  version?: number
}

export interface Pagination {
  page: number
  limit: number
  total: number
}

export interface PainReport {
  id: string
  session_exercise_id: string | null
  severity: number
  band: "none" | "mild" | "moderate" | "severe"
  action: "continue" | "rest" | "skip_exercise" | "end_session"
  note: string | null
  warning_signs: ("chest_pain" | "breathless" | "faint_or_dizzy" | "sudden_weakness_or_numbness" | "bladder_or_bowel" | "calf_swelling" | "fall")[]
  client_event_id: string | null
  occurred_at: string
  created_at: string
}

export interface Patient {
  id: string
  patient_profile_id: string
  first_name: string
  last_name: string
  name: string
  email: string | null
  phone: string | null
  birth_date: string | null
  sex: "female" | "male" | "other" | "unknown" | null
  language_code: string | null
  address: Address | null
  notes: string | null
  lead_specialist_id: string | null
  lead_specialist: { id: string; name: string } | null
  status: "unclaimed" | "invited" | "claimed"
  has_national_id: boolean
  restricted_at: string | null
  merged_into_id: string | null
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface PatientChoice {
  id: string
  name: string
  birth_date: string | null
}

export interface PatientCondition {
  id: string
  patient_id: string
  condition: ConditionSummary
  since: string | null
  note: string | null
  status: "active" | "resolved" | "history"
  stage: "acute" | "subacute" | "strength" | "return_to_activity" | "maintenance" | null
  cleared_for: ("movement" | "stretching" | "load" | "full_load")[]
  cleared_at: string | null
  cleared_by_principal_id: string | null
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface PatientConditionChanges {
  since?: string | null
  note?: string | null
  status?: "active" | "resolved" | "history"
  stage?: "acute" | "subacute" | "strength" | "return_to_activity" | "maintenance" | null
  cleared_for?: ("movement" | "stretching" | "load" | "full_load")[]
  version?: number
}

export interface PatientDetails {
  first_name: string
  last_name: string
  email?: string | null
  phone?: string | null
  birth_date?: string | null
  sex?: "female" | "male" | "other" | "unknown" | null
  language_code?: string | null
  address?: Address | null
  notes?: string | null
  lead_specialist_id?: string | null
  version?: number
}

export interface PatientEvaluation {
  evaluated: number
  added_to: string[]
  removed_from: string[]
}

export interface PatientMerge {
  patient_id: string
  version?: number
}

export interface PatientOverview {
  conditions: ({ id: string; condition: ConditionSummary; status: "active" | "resolved" | "history"; stage: "acute" | "subacute" | "strength" | "return_to_activity" | "maintenance" | null })[]
  next_visit: { id: string; starts_at: string; ends_at: string; status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"; mode: "in_person" | "video" | "phone"; specialist: { id: string; name: string } | null; service: { id: string; name: string } | null } | null
  last_visit: { id: string; starts_at: string; ends_at: string; status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"; mode: "in_person" | "video" | "phone"; specialist: { id: string; name: string } | null; service: { id: string; name: string } | null } | null
  last_run: { id: string; status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"; started_at: string; ended_at: string | null } | null
  pain: { last: number; at: string; worst: number; trend: number[] } | null
  plan: { id: string; title: string; runs_14d: number | null } | null
  forms_open: number | null
  to_sign: number | null
  missing_consents: string[] | null
}

export interface PatientProfile {
  patient_id: string
  profile: Values
  fields: ProfileField[]
  version: number
}

export interface PatientRecord {
  id: string
  patient_profile_id: string
  first_name: string
  last_name: string
  name: string
  email: string | null
  phone: string | null
  birth_date: string | null
  sex: "female" | "male" | "other" | "unknown" | null
  language_code: string | null
  address: Address | null
  notes: string | null
  lead_specialist_id: string | null
  lead_specialist: { id: string; name: string } | null
  status: "unclaimed" | "invited" | "claimed"
  has_national_id: boolean
  restricted_at: string | null
  merged_into_id: string | null
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
  linked_records: LinkedRecord[]
  summary?: PatientOverview
}

export interface PatientRowSummary {
  next_visit: { id: string; starts_at: string; ends_at: string; status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"; mode: "in_person" | "video" | "phone"; specialist: { id: string; name: string } | null; service: { id: string; name: string } | null } | null
  last_visit: { id: string; starts_at: string; ends_at: string; status: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error"; mode: "in_person" | "video" | "phone"; specialist: { id: string; name: string } | null; service: { id: string; name: string } | null } | null
  last_run: { id: string; status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"; started_at: string; ended_at: string | null } | null
  pain: { last: number; at: string; worst: number; trend: number[] } | null
}

export interface PatientSegments {
  segments: { id: string; name: string; description: string; matched_at: string }[]
}

export interface PatientSummary {
  id: string
  patient_profile_id: string
  first_name: string
  last_name: string
  name: string
  email: string | null
  phone: string | null
  birth_date: string | null
  sex: "female" | "male" | "other" | "unknown" | null
  language_code: string | null
  lead_specialist_id: string | null
  lead_specialist: { id: string; name: string } | null
  status: "unclaimed" | "invited" | "claimed"
  has_national_id: boolean
  restricted_at: string | null
  merged_into_id: string | null
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
  summary?: PatientRowSummary
}

export interface PdfBlock {
  type: "heading" | "text" | "table" | "form_answers" | "plan_exercises" | "image" | "signature" | "qr" | "page_break"
  level?: number
  text?: string
  columns?: string[]
  rows?: string[][]
  image_id?: string
  alt?: string
  width_percent?: number
  signer?: "signer" | "specialist" | "patient"
  caption?: string
}

export interface PdfTemplate {
  id: string
  organization_id: string
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  status: "draft" | "published" | "archived"
  version: number
  published_at: string | null
  published_by_principal_id: string | null
  created_at: string
  updated_at: string
  revision: number
  blocks: PdfBlock[]
}

export interface PdfTemplateChanges {
  name?: string
  language?: "en" | "ro"
  blocks?: PdfBlock[]
  revision?: number
}

export interface PdfTemplatePreview {
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  blocks: PdfBlock[]
}

export interface PdfTemplateSummary {
  id: string
  organization_id: string
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  status: "draft" | "published" | "archived"
  version: number
  published_at: string | null
  published_by_principal_id: string | null
  created_at: string
  updated_at: string
  revision: number
}

export interface PdfTemplateVersion {
  version: number
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  published_at: string
  published_by_principal_id: string | null
  blocks: PdfBlock[]
}

export interface PdfTemplateVersionSummary {
  version: number
  name: string
  kind: "form" | "appointment_letter" | "treatment_plan" | "attendance_certificate"
  language: "en" | "ro"
  published_at: string
  published_by_principal_id: string | null
}

export interface Permission {
  code: string
  resource: string
  action: string
  description: string
  held: boolean
  granted?: boolean
}

export interface Place {
  id: string
  name: string
  address: Address | null
  phone: string | null
}

export interface PlanChange {
  plan: "free" | "pro" | "dedicated"
}

export interface PlannedExercise {
  id: string
  name: string
  slug: string
  kind: "reps_based" | "duration_based" | "static"
  available: boolean
}

export interface PlatformMembership {
  principal_id: string
  name: string | null
  email: string | null
  role: "superadmin"
  granted_by_principal_id: string | null
  granted_by: { principal_id: string; name: string | null } | null
  granted_at: string
}

export interface PlatformServiceProvider {
  id: string
  capability: string
  provider: string
  config: Record<string, unknown>
  has_credentials: boolean
  status: "active" | "error" | "inactive"
  last_error: string | null
  last_error_at: string | null
  last_health_check_at: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface PlatformServiceProviderChanges {
  credentials?: Record<string, unknown>
  config?: Record<string, unknown>
  status?: "active" | "inactive"
  version?: number
}

export interface PoseConfig {
  engine_code: string
  landmarks: string[]
  primary_angle: string[]
  side: string
  thresholds: { up_degrees: number; down_degrees: number; hysteresis_degrees: number }
  hold_seconds: number | null
  target_range_degrees: { min: number; max: number } | null
  min_visibility: number
  feedback_rules: { code: string; when: string; value: number; message: Record<string, string> }[]
  camera?: { view: string; distance_m: number; height: string; text: Record<string, string> } | null
}

export interface PoseConfigProposal {
  joint: "knee" | "hip" | "elbow" | "shoulder" | "ankle"
  config: PoseConfig
  repetitions: number
  confidence: number
  range_degrees: number
  others: ({ joint: "knee" | "hip" | "elbow" | "shoulder" | "ankle"; side: string; range_degrees: number })[]
}

export interface PoseConfigRecording {
  recording: string
  joint?: "knee" | "hip" | "elbow" | "shoulder" | "ankle"
}

export interface PoseConfigVersion {
  id: string
  exercise_id: string
  version: number
  tracking_enabled: boolean
  engine_code: string
  status: "draft" | "active"
  pinned_asset_version: string | null
  config: PoseConfig
  created_by_principal_id: string | null
  created_at: string
}

export interface PoseConfigVersions {
  versions: PoseConfigVersion[]
}

export interface Prefill {
  patient_id: string
  values: Values
}

export interface Prerequisite {
  exercise_id: string
  name: string
  slug: string
  tagged_by_principal_id: string | null
  tagged_at: string
  clinical_basis: string | null
  translations: Record<string, { clinical_basis?: string }>
}

export interface PrerequisiteSummary {
  id: string
  name: string
  slug: string
}

export interface Prerequisites {
  prerequisites: Prerequisite[]
}

export interface PrivacyNotice {
  organization_id: string
  version: number
  published_version: number | null
  published_at: string | null
  published_by_principal_id: string | null
  source_template_version: number | null
  placeholder_values: Record<string, string> | null
  included_sections: string[] | null
  assembled_body: Translations | null
  body: string | null
  latest_template_version: number
  republish_needed: boolean
  draft?: { template_version: number; placeholder_values: Record<string, string>; included_sections: string[]; missing_placeholders: string[]; suggested_values: Record<string, string>; unpublished_changes: boolean }
}

export interface PrivacyNoticeDraft {
  template_version?: number
  placeholder_values: Record<string, string>
  included_sections: string[]
  version?: number
}

export interface PrivacyNoticePreview {
  source_template_version: number
  assembled_body: Translations
  missing_placeholders: string[]
  patients_to_ask: number | null
}

export type PrivacyNoticePreviewRequest = { template_version?: number; placeholder_values?: Record<string, string>; included_sections?: string[]; version?: number } | null

export type PrivacyNoticePublication = { version?: number } | null

export interface PrivacyNoticeTemplate {
  version: number
  body_with_placeholders: Translations
  placeholders: { key: string; required: boolean; label: Translations }[]
  toggleable_sections: { key: string; default: boolean; name: Translations; body: Translations }[]
  published_at: string
  published_by_principal_id: string | null
}

export interface PrivacyRequest {
  id: string
  kind: "export" | "erase"
  patient_id: string
  status: "accepted" | "active" | "completed" | "error" | "cancelled"
  progress: number
  reason: string | null
  error: string | null
  requested_by_principal_id: string | null
  created_at: string
  updated_at: string
  completed_at: string | null
  expires_at: string | null
}

export interface PrivacyRequestDetails {
  id: string
  kind: "export" | "erase"
  patient_id: string
  status: "accepted" | "active" | "completed" | "error" | "cancelled"
  progress: number
  reason: string | null
  error: string | null
  requested_by_principal_id: string | null
  created_at: string
  updated_at: string
  completed_at: string | null
  expires_at: string | null
  manifest: ExportManifest | null
  certificate: ErasureCertificate | null
  download_url: string | null
}

export interface Product {
  id: string
  organization_id: string
  sku: string
  name: string
  description: string | null
  price_cents: number
  currency: string
  vat_rate: number | null
  status: "active" | "archived"
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface ProductChanges {
  sku?: string
  name?: string
  price_cents?: number
  description?: string | null
  currency?: string
  vat_rate?: number | null
  status?: "active" | "archived"
  version?: number
}

export type ProfileChanges = Record<string, unknown>

export interface ProfileField {
  key: string
  field_type: "text" | "textarea" | "select" | "date" | "checkbox" | "radio" | "number" | "email" | "phone"
  label: string
  description: string | null
  is_private: boolean
  options: string[] | null
  system_key: string | null
}

export interface ProgramChoice {
  id: string
  name: string
}

export interface ProgramDetails {
  id: string
  name: string
  description: string | null
  status: "active" | "archived"
  version: number
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  sessions: ({ id: string; position: number; title: string; notes: string | null; exercises: ({ id: string; position: number; exercise_id: string; sets: number; reps: number | null; hold_seconds: number | null; rest_seconds: number; side: "left" | "right" | "both" | null; notes: string | null; exercise: PlannedExercise })[] })[]
}

export interface ProgramReplacement {
  version: number
  name: string
  description?: string | null
  sessions: ({ id?: string; title: string; notes?: string | null; exercises: ({ id?: string; exercise_id: string; sets?: number; reps?: number | null; hold_seconds?: number | null; rest_seconds?: number; side?: "left" | "right" | "both" | null; notes?: string | null })[] })[]
}

export interface ProgramStatusChange {
  status: "active" | "archived"
  version?: number
}

export interface ProgramSummary {
  id: string
  name: string
  description: string | null
  status: "active" | "archived"
  version: number
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  sessions_count: number
}

export interface PublicOrganization {
  id: string
  name: string
  slug: string
  language_code: string
}

export interface PublicPrivacyNotice {
  organization_name: string
  version: number
  published_at: string
  body: string
  body_translations: Translations
}

export interface PublicService {
  id: string
  name: string
  slug: string
  description: string | null
  translations: ServiceTranslations
  duration_minutes: number
  modes: ("in_person" | "video" | "phone")[]
  requires_confirmation: boolean
  cancel_notice_minutes: number
  reschedule_notice_minutes: number
  max_days_ahead: number
  color: string | null
  price_cents: number | null
  currency: string
  time_zone: string
  specialists: ({ id: string; name: string; title: string | null })[]
  locations: ({ id: string; name: string; address: Address | null; phone: string | null; city: string | null })[]
}

export interface PublicWaitlistOffer {
  starts_at: string
  ends_at: string
  expires_at: string | null
  status: "open" | "accepted" | "declined" | "expired" | "ended" | "skipped"
  time_zone: string
  mode: "in_person" | "video" | "phone"
  organization: { name: string; slug: string; phone: string | null }
  service: { id: string; name: string; translations: ServiceTranslations }
  specialist: { id: string; name: string }
  location: Place | null
}

export interface PublishedField {
  id: string
  version: number
  published: boolean
  published_at: string
}

export interface Readiness {
  status: "ready" | "not_ready"
  checks: Record<string, { status: "healthy" | "unhealthy" | "disabled" }>
}

export interface ReceiptVerdict {
  valid: boolean
}

export interface RecordedCondition {
  data: PatientCondition
  affected_plans: AffectedPlan[]
}

export interface Render {
  id: string
  exercise: string
  asset_version: number
  language: string
  sets: CompositionSet[]
  seed: number
  status: "queued" | "rendering" | "uploading" | "transcoding" | "ready" | "failed" | "cancelled"
  progress: number
  stage: "normalising" | "joining" | "checking" | "uploading" | "transcoding" | null
  duration_seconds: number | null
  playback_hls_url: string
  poster_url: string | null
  captions: string[]
  waiting: { for: "host" | "disk"; until: string } | null
  error: { code: string; message: string } | null
  created_at: string
  updated_at: string
}

export interface Replay {
  url: string
  expires_at: string
  bytes: number
  frame_count: number
  batch_count: number
}

export interface RestrictedPatient {
  patient_id: string
  restricted_at: string | null
}

export interface Restriction {
  patient_id: string
  restricted: boolean
  reason: string
}

export interface RetriedExecutions {
  retried: number
  remaining: number
}

export interface Role {
  id: string
  organization_id: string
  code: string
  name: string
  description: string | null
  is_system: boolean
  customized_at: string | null
  permissions: string[]
  member_count: number
  created_at: string
  updated_at: string
  version: number
}

export interface RoleChanges {
  name?: string
  code?: string
  description?: string | null
  version?: number
}

export interface RoleChoice {
  id: string
  code: string
  name: string
  is_system: boolean
}

export interface RoleGrants {
  permissions: string[]
  version?: number
}

export interface RoleSummary {
  id: string
  code: string
  name: string
}

export interface RoleTemplate {
  id: string
  organization_id: null
  code: string
  name: string
  description: string | null
  is_system: boolean
  customized_at: string | null
  permissions: string[]
  created_at: string
  updated_at: string
  version: number
}

export interface RoleTemplateChanges {
  name?: string
  description?: string | null
  version?: number
}

export interface RollbackRequest {
  version: number
}

export interface RunAnalytics {
  id: string
  treatment_plan: { id: string; title: string }
  program_id: string | null
  session: { id: string; title: string }
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  started_at: string
  ended_at: string | null
  last_event_at: string
  exercises: ExerciseCounts
  repetitions: DoneRepetitions
  active_seconds: number
  pain: { reports: number; max_severity: number | null }
  feedback: SessionFeedback | null
  pose: { exercises_measured: number; exercises_not_measured: number; repetitions: number | null; repetitions_to_target: number | null; not_visible_ms: number | null; range_mean_degrees: number | null; confidence: number | null } | null
  media: { is_complete: boolean; end_reason: string | null; started_at: string | null; ended_at: string | null; startup_ms: number | null; rebuffer_count: number; rebuffer_ms: number; rebuffer_pct: number | null; watch_seconds: number; unique_seconds: number; quality_switches: number; dropped_frame_pct: number | null; hidden_ms: number } | null
  patient: { id: string; name: string }
  incomplete: boolean | null
  replay_available: boolean
  pain_reports: PainReport[]
  exercise_results: ({ session_exercise_id: string; exercise_name: string; position: number; exercise_id: string; sets: number; reps: number | null; hold_seconds: number | null; rest_seconds: number; side: "left" | "right" | "both" | null; notes: string | null; outcome: "completed" | "skipped" | "abandoned" | null; repetitions_tapped: number | null; events: ExerciseEvent[]; pose: { measured: boolean; reason: string | null; confidence: number; side: string | null; repetitions: number | null; repetitions_to_target: number | null; not_visible_ms: number | null; range_min_degrees: number | null; range_max_degrees: number | null; range_mean_degrees: number | null; tempo_seconds: number | null; symmetry: number | null; hold_seconds: number | null } | null; repetitions: ({ number: number; side: string; start_ms: number; peak_ms: number; end_ms: number; peak_degrees: number; range_degrees: number; tempo_seconds: number; hold_seconds: number; reached_target: boolean | null; feedback: string[] })[]; media: { watched_pct: number; started_at: string | null; ended_at: string | null; startup_ms: number | null; rebuffer_count: number; rebuffer_ms: number; rebuffer_pct: number | null; watch_seconds: number; unique_seconds: number; quality_switches: number; dropped_frame_pct: number | null; hidden_ms: number } | null })[]
}

export interface RunEnd {
  termination: "ended_naturally" | "ended_explicit"
}

export interface RunPayload {
  run_id: string
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  started_at: string
  ended_at: string | null
  treatment_plan: { id: string; title: string }
  session: { id: string; title: string; notes: string | null }
  exercises: ({ id: string; position: number; exercise_id: string; sets: number; reps: number | null; hold_seconds: number | null; rest_seconds: number; side: "left" | "right" | "both" | null; notes: string | null; name: string; description: string | null; instructions_summary: string | null; kind: "reps_based" | "duration_based" | "static"; difficulty: "beginner" | "intermediate" | "advanced" | null; tracking_enabled: boolean; video_url: string | null; video_provider: string | null; video_thumbnail_url: string | null; video_duration_seconds: number | null; instructions: ({ id: number; sort_order: number; title: string | null; content: string; image_url: string | null; instruction_type: "preparation" | "step" | "form_cue" | "safety" })[]; pose_config: Record<string, unknown> | null })[]
  terminated_session_exercise_ids: string[]
  ended_exercises: EndedExercise[]
  worst_pain: number | null
  active_seconds: number
  feedback_given: boolean
  telerehab_consent: boolean
  help: { phone: string | null; emergency_number: string }
  telemetry_url: string
  telemetry_token: string | null
  telemetry_token_expires_at: string | null
}

export interface RunSummary {
  id: string
  treatment_plan: { id: string; title: string }
  program_id: string | null
  session: { id: string; title: string }
  status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"
  started_at: string
  ended_at: string | null
  last_event_at: string
  exercises: ExerciseCounts
  repetitions: DoneRepetitions
  active_seconds: number
  pain: { reports: number; max_severity: number | null }
  feedback: SessionFeedback | null
  pose: { exercises_measured: number; exercises_not_measured: number; repetitions: number | null; repetitions_to_target: number | null; not_visible_ms: number | null; range_mean_degrees: number | null; confidence: number | null } | null
  media: { is_complete: boolean; end_reason: string | null; started_at: string | null; ended_at: string | null; startup_ms: number | null; rebuffer_count: number; rebuffer_ms: number; rebuffer_pct: number | null; watch_seconds: number; unique_seconds: number; quality_switches: number; dropped_frame_pct: number | null; hidden_ms: number } | null
}

export interface RunTimeline {
  run_id: string
  patient: { id: string; name: string }
  session_start_at: string | null
  session_start_source: "session_start" | "first_event" | "run_started" | null
  ended_at: string | null
  replay_available: boolean
  exercises: ({ session_exercise_id: string; exercise_id: string; exercise_name: string; video_url: string | null; video_provider: string | null; video_thumbnail_url: string | null; video_duration_seconds: number | null; from_ms: number | null; to_ms: number | null; repetitions: ({ number: number; side: string; start_ms: number; peak_ms: number; end_ms: number; peak_degrees: number; range_degrees: number; tempo_seconds: number; hold_seconds: number; reached_target: boolean | null; feedback: string[] })[] })[]
  media_events_available: boolean
  media_events: ({ event: "session_start" | "video_played" | "video_paused" | "buffering_start" | "buffering_end" | "quality_change" | "watch_pct_25" | "watch_pct_50" | "watch_pct_75" | "watch_pct_95" | "page_visible" | "page_hidden" | "dropped_frames" | "session_end"; media_id: string; occurred_at: string; at_ms: number | null; position_seconds: number | null })[]
  exercise_events: ({ id: string; session_exercise_id: string; type: "started" | "completed" | "skipped" | "abandoned" | "paused_for_pain"; client_event_id: string | null; occurred_at: string; data: { sets_completed?: number; repetitions_completed?: number; repetitions_tapped?: number; duration_seconds?: number }; at_ms: number | null })[]
  pain_reports: ({ id: string; session_exercise_id: string | null; severity: number; band: "none" | "mild" | "moderate" | "severe"; action: "continue" | "rest" | "skip_exercise" | "end_session"; note: string | null; warning_signs: ("chest_pain" | "breathless" | "faint_or_dizzy" | "sudden_weakness_or_numbness" | "bladder_or_bowel" | "calf_swelling" | "fall")[]; client_event_id: string | null; occurred_at: string; created_at: string; at_ms: number | null })[]
}

export interface SafetyCheck {
  patient_id: string
  exercise_ids: string[]
}

export interface SafetyCheckResult {
  exercise_id: string
  findings: SafetyFinding[]
}

export interface SafetyFinding {
  kind: "contraindication" | "prerequisite"
  level: "block" | "reason" | "notice"
  exercise_id: string
  contraindication_id: string | null
  severity: "contraindicated" | "relative" | "precaution" | null
  description: string | null
  patient_condition: { id: string; condition: ConditionSummary; since: string | null; recorded_by_principal_id: string | null; recorded_at: string; status?: "active" | "resolved" | "history"; stage?: "acute" | "subacute" | "strength" | "return_to_activity" | "maintenance" | null } | null
  contraindicated_condition?: ConditionSummary | null
  prerequisite: PrerequisiteSummary | null
  tagged_by_principal_id: string | null
  tagged_at: string
  clinical_basis: string | null
  source?: string | null
  translations: ContraindicationTranslations
}

export interface SavedForm {
  id: string
  status: "pending" | "in_progress" | "completed" | "signed"
  completed_at: string | null
  version: number
}

export interface SavedView {
  name: string
  filters: Record<string, string>
  sort?: string
  columns?: string[]
}

export interface SavedViews {
  views: SavedView[]
  version: number
  updated_at: string | null
}

export interface SavedViewsChanges {
  views: SavedView[]
  version?: number
}

export interface SearchResults {
  patients: ({ id: string; name: string; birth_date: string | null; phone_tail: string | null })[]
  exercises: { id: string; name: string; status: string }[]
  programs: { id: string; name: string; status: string }[]
  form_templates: { id: string; name: string; status: string }[]
}

export interface Segment {
  id: string
  organization_id: string
  name: string
  description: string
  match_mode: "all" | "any"
  rules: ({ source: "profile" | "form" | "appointments"; custom_field_id?: string; template_id?: string; metric?: "count" | "last_date"; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown; filters?: { status?: unknown } })[]
  version: number
  created_at: string
  updated_at: string
}

export interface SegmentDetails {
  name: string
  description?: string
  match_mode: "all" | "any"
  rules: (SegmentRuleOfProfile | SegmentRuleOfForm | SegmentRuleOfAppointments)[]
  version?: number
}

export interface SegmentExplanation {
  segment_id: string
  patient_id: string
  match_mode: "all" | "any"
  matches: boolean
  is_member: boolean
  rules: ({ rule: { source: "profile" | "form" | "appointments"; custom_field_id?: string; template_id?: string; metric?: "count" | "last_date"; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown; filters?: { status?: unknown } }; value: unknown; withheld: boolean; result: boolean })[]
}

export interface SegmentList {
  segments: Segment[]
}

export interface SegmentMember {
  patient_id: string
  name: string
  email: string | null
  matched_at: string
}

export interface SegmentMembers {
  members: SegmentMember[]
  pagination: { page: number; per_page: number; total: number; total_pages: number }
}

export interface SegmentPreview {
  count: number
  sample: ({ patient_id: string; name: string; email: string | null })[]
}

export interface SegmentPreviewRequest {
  match_mode: "all" | "any"
  rules: (SegmentRuleOfProfile | SegmentRuleOfForm | SegmentRuleOfAppointments)[]
}

export interface SegmentRuleOfAppointments {
  source: "appointments"
  metric: "count" | "last_date"
  op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"
  value?: unknown
  filters?: { status?: "waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error" | ("waitlist" | "pending" | "confirmed" | "checked_in" | "completed" | "no_show" | "cancelled" | "entered_in_error")[] }
}

export interface SegmentRuleOfForm {
  source: "form"
  template_id: string
  custom_field_id: string
  op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"
  value?: unknown
}

export interface SegmentRuleOfProfile {
  source: "profile"
  custom_field_id: string
  op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"
  value?: unknown
}

export interface SegmentVersion {
  segment_id: string
  version: number
  rules: ({ source: "profile" | "form" | "appointments"; custom_field_id?: string; template_id?: string; metric?: "count" | "last_date"; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown; filters?: { status?: unknown } })[]
  match_mode: "all" | "any"
  changed_by: { id: string | null; name: string | null }
  created_at: string
}

export interface SegmentVersions {
  versions: ({ version: number; rules: ({ source: "profile" | "form" | "appointments"; custom_field_id?: string; template_id?: string; metric?: "count" | "last_date"; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown; filters?: { status?: unknown } })[]; match_mode: "all" | "any"; changed_by: { id: string | null; name: string | null }; created_at: string })[]
}

export interface SegmentWithCount {
  id: string
  organization_id: string
  name: string
  description: string
  match_mode: "all" | "any"
  rules: ({ source: "profile" | "form" | "appointments"; custom_field_id?: string; template_id?: string; metric?: "count" | "last_date"; op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "is_set" | "is_not_set" | "gt" | "gte" | "lt" | "lte" | "between" | "not_between" | "before" | "after" | "in_last" | "not_in_last" | "in_next" | "contains_any" | "contains_all"; value?: unknown; filters?: { status?: unknown } })[]
  version: number
  created_at: string
  updated_at: string
  member_count: number
}

export interface SeriesCancellation {
  from: string
  reason?: string | null
}

export interface Service {
  id: string
  organization_id: string
  name: string
  slug: string
  duration_minutes: number
  description: string | null
  translations: ServiceTranslations
  buffer_before_minutes: number
  buffer_after_minutes: number
  slot_interval_minutes: number
  min_notice_minutes: number
  max_days_ahead: number
  modes: ("in_person" | "video" | "phone")[]
  specialist_ids: string[]
  location_ids: string[]
  specialty_id: string | null
  requires_confirmation: boolean
  cancel_notice_minutes: number
  reschedule_notice_minutes: number
  reminder_offsets_minutes: number[] | null
  max_per_day: number | null
  is_public: boolean
  status: "active" | "archived"
  color: string | null
  intake_form_template_id: string | null
  price_cents: number | null
  currency: string
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface ServiceAccount {
  id: string
  name: string
  description: string | null
  role: RoleSummary
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface ServiceAccountChanges {
  name?: string
  description?: string | null
  role_id?: string
  version?: number
}

export interface ServiceChanges {
  name?: string
  slug?: string
  duration_minutes?: number
  version?: number
  description?: string | null
  translations?: ServiceTranslations
  buffer_before_minutes?: number
  buffer_after_minutes?: number
  slot_interval_minutes?: number
  min_notice_minutes?: number
  max_days_ahead?: number
  modes?: ("in_person" | "video" | "phone")[]
  specialist_ids?: string[]
  location_ids?: string[]
  specialty_id?: string | null
  requires_confirmation?: boolean
  cancel_notice_minutes?: number
  reschedule_notice_minutes?: number
  reminder_offsets_minutes?: number[] | null
  max_per_day?: number | null
  is_public?: boolean
  status?: "active" | "archived"
  color?: string | null
  intake_form_template_id?: string | null
  price_cents?: number | null
  currency?: string
}

export interface ServicePlan {
  id: string
  organization_id: string
  name: string
  description: string | null
  items: { service_id: string; quantity: number }[]
  products: ServicePlanProduct[]
  valid_days: number | null
  billing: "one_time" | "monthly"
  price_cents: number
  currency: string
  status: "draft" | "active" | "archived"
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
}

export interface ServicePlanChanges {
  name?: string
  price_cents?: number
  description?: string | null
  items?: { service_id: string; quantity: number }[]
  valid_days?: number | null
  billing?: "one_time" | "monthly"
  currency?: string
  status?: "draft" | "active" | "archived"
  version?: number
}

export interface ServicePlanProduct {
  product_id: string
  quantity: number
}

export interface ServicePlanProductDetails {
  product_id: string
  quantity: number
  sku: string | null
  name: string | null
  price_cents: number | null
  currency: string | null
  status: "active" | "archived" | null
  created_at: string
}

export interface ServiceTranslations {
  en?: { name?: string; description?: string }
  ro?: { name?: string; description?: string }
}

export interface SessionFeedback {
  perceived_exertion: number
  pain: number
  comment: string | null
  created_at: string
  updated_at: string
}

export interface SignedConsentReceipt {
  receipt: ConsentReceipt
  key: string
  signature: string
}

export interface SignedForm {
  id: string
  status: "pending" | "in_progress" | "completed" | "signed"
  signed_at: string
}

export interface SimulatedEvent {
  event_id: string
  occurred_at: string
  would_run: boolean
  skip_reason: "conditions" | "loop" | "quota" | "patient_restricted" | "appointment_cancelled" | "late" | null
}

export interface Specialist {
  id: string
  organization_id: string
  human_id: string | null
  name: string
  title: string | null
  registration_number: string | null
  description: string | null
  slug: string
  signature_url: string | null
  avatar_url: string | null
  scheduling_timezone: string
  scheduling_active: boolean
  crm_name: string | null
  meeting_url: string | null
  created_at: string
  updated_at: string
  version: number
  deleted_at: string | null
  specialties?: SpecialtySummary[]
  human?: SpecialistHuman | null
  weekly_hours?: Record<string, unknown>[]
  overrides?: Record<string, unknown>[]
}

export interface SpecialistChanges {
  name?: string
  slug?: string
  title?: string | null
  registration_number?: string | null
  description?: string | null
  human_id?: string | null
  specialty_ids?: string[]
  scheduling_timezone?: string
  scheduling_active?: boolean
  crm_name?: string | null
  meeting_url?: string | null
  version?: number
}

export interface SpecialistChoice {
  id: string
  name: string
  title: string | null
}

export interface SpecialistHuman {
  id: string
  name: string | null
  email: string | null
}

export interface SpecialistImage {
  avatar_url: string | null
  signature_url: string | null
}

export interface SpecialistProfile {
  specialist_id: string
  profile: Values
  fields: ProfileField[]
  version: number
}

export interface Specialty {
  id: string
  organization_id: string
  title: string
  slug: string
  description: string | null
  created_at: string
  updated_at: string
  version: number
}

export interface SpecialtyChanges {
  title?: string
  slug?: string
  description?: string | null
  version?: number
}

export interface SpecialtySummary {
  id: string
  title: string
  slug: string
}

export interface SpecialtyWithSpecialists {
  id: string
  organization_id: string
  title: string
  slug: string
  description: string | null
  created_at: string
  updated_at: string
  version: number
  specialists: ({ id: string; name: string; title: string | null; slug: string })[]
}

export interface StaffGrant {
  purpose_code: string
  purpose_version: number
}

export interface StaffGrants {
  grants: StaffGrant[]
}

export interface StartedRun {
  run_id: string
  telemetry_token: string
  telemetry_token_expires_at: string
}

export interface StatsExercises {
  period: StatsPeriod
  exercises: ({ exercise_id: string; exercise_name: string; patients: number; assigned: number; completed: number; skipped: number; abandoned: number; completion_rate: number | null; pauses_for_pain: number; pain_reports: number; max_severity: number | null; measured: number; median_repetitions: number | null; median_repetitions_to_target: number | null; median_range_degrees: number | null })[]
}

export interface StatsOverview {
  period: StatsPeriod
  patients: number
  runs: { total: number; in_progress: number; ended_naturally: number; ended_explicit: number; ended_auto: number; median_duration_seconds: number | null }
  exercises: { assigned: number; completed: number; skipped: number; abandoned: number; completion_rate: number | null }
  feedback: { count: number; mean_perceived_exertion: number | null; mean_pain: number | null }
  pain_reports: number
  media: { runs: number; incomplete: number; startup_ms: { median: number | null; p95: number | null }; rebuffer_pct: { median: number | null; p95: number | null } }
  days: { day: string; runs: number; patients: number }[]
}

export interface StatsPainSummary {
  period: StatsPeriod
  reports: number
  patients: number
  mean_severity: number | null
  max_severity: number | null
  bands: { none: number; mild: number; moderate: number; severe: number }
  actions: { continue: number; rest: number; skip_exercise: number; end_session: number }
  exercises: ({ exercise_id: string; exercise_name: string; reports: number; patients: number; mean_severity: number | null; max_severity: number })[]
  days: { day: string; reports: number; max_severity: number }[]
}

export interface StatsPeriod {
  from: string
  to: string
  time_zone: string
}

export interface SwitchOrganization {
  organization_id: string
}

export interface SystemInfo {
  product: string
  version: string
  manufacturer: { name: string; address: string }
  device: { udi: string; intended_purpose: string }
}

export interface TagSummary {
  id: string
  name: string
  slug: string
}

export type TaxonomyDeprecation = { replaced_by_id?: string | null } | null

export interface TelemetryHealth {
  status: "ok"
  version: string
}

export interface TelemetryReadiness {
  status: "ready" | "degraded" | "not_ready"
  checks: { log: { status: "healthy" | "recovering" | "degraded" | "full" | "failed"; reason?: string }; postgresql: { status: "healthy" | "unhealthy" }; object_store: { status: "healthy" | "unhealthy" } }
}

export interface Timeline {
  data: TimelineEntry[]
  next_before: string | null
}

export interface TimelineEntry {
  kind: "visit" | "run" | "plan" | "form" | "document" | "pain" | "consent" | "condition"
  id: string
  at: string
  title: string | null
  status: string
  actor: { type: "specialist" | "member" | "patient"; id: string; name: string | null } | null
}

export interface Today {
  sessions: ({ id: string; organization: { id: string; name: string; slug: string; time_zone: string }; treatment_plan: { id: string; title: string; starts_on: string | null; ends_on: string | null; has_ended: boolean }; title: string; position: number; exercises_count: number; last_run: { id: string; status: "in_progress" | "ended_naturally" | "ended_explicit" | "ended_auto"; started_at: string; ended_at: string | null; exercises: { total: number; completed: number } } | null; run_in_progress: { id: string; started_at: string; last_event_at: string } | null })[]
  forms: ({ id: string; organization: { id: string; name: string; slug: string; time_zone: string }; title: string; type: "survey" | "intake" | "assessment" | "consent" | "feedback" | "clinical_note"; status: "pending" | "in_progress"; appointment_id: string | null; created_at: string })[]
  next_visit: { id: string; organization: { id: string; name: string; slug: string; time_zone: string }; starts_at: string; ends_at: string; time_zone: string; mode: "in_person" | "video" | "phone"; status: "pending" | "confirmed" | "checked_in"; service_name: string; specialist_name: string | null; location_name: string | null; location_address: Record<string, unknown> | null; meeting_url: string | null } | null
}

export type Translations = Record<string, string>

export interface TreatmentPlan {
  id: string
  patient: { id: string; name: string }
  program_id: string | null
  title: string
  description: string | null
  status: "draft" | "active" | "completed" | "archived"
  starts_on: string | null
  ends_on: string | null
  has_ended: boolean
  version: number
  activated_at: string | null
  completed_at: string | null
  archived_at: string | null
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  sessions: ({ id: string; position: number; title: string; notes: string | null; exercises: ({ id: string; position: number; exercise_id: string; sets: number; reps: number | null; hold_seconds: number | null; rest_seconds: number; side: "left" | "right" | "both" | null; notes: string | null; exercise: PlannedExercise; override_reason: string | null; findings: SafetyFinding[] })[] })[]
}

export interface TreatmentPlanReplacement {
  version: number
  title: string
  description?: string | null
  starts_on?: string | null
  ends_on?: string | null
  sessions: ({ id?: string; title: string; notes?: string | null; exercises: ({ id?: string; exercise_id: string; sets?: number; reps?: number | null; hold_seconds?: number | null; rest_seconds?: number; side?: "left" | "right" | "both" | null; notes?: string | null; override_reason?: string | null })[] })[]
}

export interface TreatmentPlanStatusChange {
  status: "draft" | "active" | "completed" | "archived"
  version?: number
}

export interface TreatmentPlanSummary {
  id: string
  patient: { id: string; name: string }
  program_id: string | null
  title: string
  description: string | null
  status: "draft" | "active" | "completed" | "archived"
  starts_on: string | null
  ends_on: string | null
  has_ended: boolean
  version: number
  activated_at: string | null
  completed_at: string | null
  archived_at: string | null
  created_by_principal_id: string | null
  created_at: string
  updated_at: string
  sessions_count: number
  last_active_at: string | null
  is_blocked: boolean
}

export interface UnavailableSlot {
  starts_at: string
  specialist_id: string
  reason: "outside_hours" | "override" | "closure" | "notice" | "too_far_ahead" | "taken" | "max_per_day"
}

export interface Unsubscribed {
  unsubscribed: boolean
}

export interface UploadedFormFile {
  field_key: string
  file: FormFile
  signed_url: string
}

export interface Usage {
  is_used: boolean
  is_deletable: boolean
  uses: ({ kind: "custom_field_values" | "appointments" | "form_templates" | "forms" | "services" | "segments" | "automation_rules" | "treatment_plans" | "programs" | "exercises" | "tags" | "documents"; consequence: "blocks" | "deleted" | "unlinked" | "broken" | "kept"; count: number; items: { id: string; name: string }[] })[]
}

export type Values = Record<string, unknown>

export interface VideoHostWebhook {
  VideoLibraryId: number
  VideoGuid: string
  Status: number
}

export interface VideoUpload {
  id: string
  exercise_id: string
  length: number
  offset: number
  metadata: Record<string, string | null>
  expires_at: string
}

export interface VisibleWhen {
  mode: "all" | "any"
  conditions: ({ field_key: string; op: "exists" | "eq" | "neq" | "gt" | "gte" | "lt" | "lte"; value?: string | number | boolean | null })[]
}

export interface WaitlistOffer {
  id: string
  appointment_id: string
  specialist_id: string
  location_id: string | null
  starts_at: string
  ends_at: string
  expires_at: string | null
  status: "open" | "accepted" | "declined" | "expired" | "ended" | "skipped"
  reason: "restricted" | "erased" | "no_address" | "patient_busy" | null
  offered_by: "staff" | "auto"
  mail_at: string | null
  answered_at: string | null
  created_at: string
}

export interface WebSession {
  id: string
  app: "console" | "portal" | "platform"
  ip: string | null
  user_agent: string | null
  created_at: string
  seen_at: string
  expires_at: string
  current: boolean
}

export interface WebSessions {
  data: WebSession[]
}

export interface WebhookAttempt {
  attempt_number: number
  trigger: "scheduled" | "manual"
  requested_at: string
  duration_ms: number
  response_status: number | null
  response_body: string | null
  error: string | null
}

export interface WebhookCatalogue {
  events: WebhookEventType[]
  signature_test_vector: { secret: string; body: string; headers: Record<string, string> }
}

export interface WebhookDelivery {
  id: string
  event_id: string
  event: string
  status: "pending" | "delivering" | "retrying" | "delivered" | "failed" | "discarded"
  attempt_count: number
  next_attempt_at: string | null
  created_at: string
  delivered_at: string | null
  discard_reason: "patient_restricted" | "patient_erased" | "subscription_inactive" | null
  attempts: WebhookAttempt[]
}

export interface WebhookEventType {
  event: string
  description: string
  always_delivered: boolean
  fields: ({ name: string; type: "id" | "time" | "number" | "boolean" | "choice"; nullable: boolean; choices: string[] | null })[]
  example: { id: string; event: string; created_at: string; organization_id: string }
}

export interface WebhookReceipt {
  received: boolean
}

export interface WebhookRecovered {
  deliveries: number
  left_out: number
}

export interface WebhookRecovery {
  since: string
  until?: string
}

export interface WebhookStats {
  since: string
  deliveries: { pending: number; delivering: number; retrying: number; delivered: number; failed: number; discarded: number }
  attempts: { total: number; failed: number }
  duration_ms: { p50: number | null; p95: number | null }
  oldest_waiting_at: string | null
}

export interface WebhookSubscription {
  uid: string
  url: string
  description: string
  events: string[]
  is_active: boolean
  disabled_reason: "manual" | "gone" | "failing" | null
  first_failure_at: string | null
  last_success_at: string | null
  rate_limit_per_second: number | null
  secret_hint: string
  created_at: string
  updated_at: string
  version: number
}

export interface WebhookSubscriptionChanges {
  url?: string
  description?: string
  events?: string[]
  is_active?: boolean
  rate_limit_per_second?: number | null
  version?: number
}

export interface WebhookSubscriptionWithSecret {
  uid: string
  url: string
  description: string
  events: string[]
  is_active: boolean
  disabled_reason: "manual" | "gone" | "failing" | null
  first_failure_at: string | null
  last_success_at: string | null
  rate_limit_per_second: number | null
  secret_hint: string
  created_at: string
  updated_at: string
  version: number
  secret: string
}

export interface WeeklyHoursBody {
  weekly_hours: WeeklyWindow[]
  version?: number
}

export interface WeeklyWindow {
  weekday: number
  start: string
  end: string
}

export type Withdrawal = { withdrawal_reason?: string | null } | null

export interface WithdrawalPreview {
  how: "withdraw" | "leave_clinic" | "erase_account"
  stops: ({ effect: "sessions_at_home" | "session_in_progress" | "camera_measurement" | "video_appointments" | "marketing_mail" | "consents" | "record_access" | "account"; count: number | null; text: string })[]
}

export interface Routes {
  /** Get the health of the service */
  'GET /health': { answer: Health }
  /** Get readiness */
  'GET /health/ready': { answer: Readiness }
  /** Get system information */
  'GET /v1/public/system-info': { answer: { data: SystemInfo } }
  /** Get the OpenAPI document */
  'GET /v1/openapi.json': { answer: ApiDocument }
  /** Download a file */
  'GET /v1/public/objects/{path}': { params: { path: string }; answer: Blob }
  /** Resolve an organization */
  'GET /v1/public/organizations/resolve': { query?: { slug?: string | undefined; domain?: string | undefined }; answer: { data: PublicOrganization } }
  /** List organizations */
  'GET /v1/organizations': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; plan?: string | undefined; language_code?: string | undefined; q?: string | undefined }; answer: { data: Organization[]; pagination: Pagination } }
  /** Create an organization */
  'POST /v1/organizations': { body: NewOrganization; answer: { data: Organization } }
  /** Get an organization */
  'GET /v1/organizations/{id}': { params: { id: string }; answer: { data: Organization } }
  /** Update an organization */
  'PATCH /v1/organizations/{id}': { params: { id: string }; body: OrganizationChanges; versioned: true; answer: { data: Organization } }
  /** Get the plan of an organization */
  'GET /v1/organizations/{id}/plan': { params: { id: string }; answer: { data: OrganizationPlan } }
  /** Change the plan of an organization */
  'PUT /v1/organizations/{id}/plan': { params: { id: string }; body: PlanChange; answer: { data: OrganizationPlan } }
  /** List members */
  'GET /v1/organizations/{id}/members': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; role_id?: string | undefined; status?: string | undefined; type?: string | undefined; q?: string | undefined }; answer: { data: Member[]; pagination: Pagination } }
  /** Add a member */
  'POST /v1/organizations/{id}/members': { params: { id: string }; body: NewMember; answer: { data: Member } }
  /** List members for a picker */
  'GET /v1/organizations/{id}/members/picker': { params: { id: string }; query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: MemberChoice[] } }
  /** Invite a member again */
  'POST /v1/organizations/{id}/members/{userId}/invite': { params: { id: string; userId: string }; answer: { data: Member } }
  /** Remove a member */
  'DELETE /v1/organizations/{id}/members/{userId}': { params: { id: string; userId: string }; answer: undefined }
  /** List roles */
  'GET /v1/organizations/{id}/roles': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; is_system?: string | undefined; q?: string | undefined }; answer: { data: Role[]; pagination: Pagination } }
  /** Create a role */
  'POST /v1/organizations/{id}/roles': { params: { id: string }; body: NewRole; answer: { data: Role } }
  /** List roles for a picker */
  'GET /v1/organizations/{id}/roles/picker': { params: { id: string }; query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: RoleChoice[] } }
  /** Get a role */
  'GET /v1/organizations/{id}/roles/{roleId}': { params: { id: string; roleId: string }; answer: { data: Role } }
  /** Update a role */
  'PATCH /v1/organizations/{id}/roles/{roleId}': { params: { id: string; roleId: string }; body: RoleChanges; versioned: true; answer: { data: Role } }
  /** Delete a role */
  'DELETE /v1/organizations/{id}/roles/{roleId}': { params: { id: string; roleId: string }; versioned: true; answer: undefined }
  /** List permissions */
  'GET /v1/organizations/{id}/permissions': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; resource?: string | undefined; q?: string | undefined; role_id?: string | undefined }; answer: { data: Permission[]; pagination: Pagination } }
  /** Replace the permissions of a role */
  'PUT /v1/organizations/{id}/roles/{roleId}/permissions': { params: { id: string; roleId: string }; body: RoleGrants; versioned: true; answer: { data: Role } }
  /** List role templates */
  'GET /v1/admin/role-templates': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; q?: string | undefined }; answer: { data: RoleTemplate[]; pagination: Pagination } }
  /** Get a role template */
  'GET /v1/admin/role-templates/{id}': { params: { id: string }; answer: { data: RoleTemplate } }
  /** Update a role template */
  'PATCH /v1/admin/role-templates/{id}': { params: { id: string }; body: RoleTemplateChanges; versioned: true; answer: { data: RoleTemplate } }
  /** Replace the permissions of a role template */
  'PUT /v1/admin/role-templates/{id}/permissions': { params: { id: string }; body: RoleGrants; versioned: true; answer: { data: RoleTemplate } }
  /** List service accounts */
  'GET /v1/organizations/{id}/service-accounts': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; role_id?: string | undefined; q?: string | undefined }; answer: { data: ServiceAccount[]; pagination: Pagination } }
  /** Create a service account */
  'POST /v1/organizations/{id}/service-accounts': { params: { id: string }; body: NewServiceAccount; answer: { data: ServiceAccount } }
  /** Get a service account */
  'GET /v1/organizations/{id}/service-accounts/{serviceAccountId}': { params: { id: string; serviceAccountId: string }; answer: { data: ServiceAccount } }
  /** Update a service account */
  'PATCH /v1/organizations/{id}/service-accounts/{serviceAccountId}': { params: { id: string; serviceAccountId: string }; body: ServiceAccountChanges; versioned: true; answer: { data: ServiceAccount } }
  /** Delete a service account */
  'DELETE /v1/organizations/{id}/service-accounts/{serviceAccountId}': { params: { id: string; serviceAccountId: string }; versioned: true; answer: undefined }
  /** List API keys */
  'GET /v1/organizations/{id}/service-accounts/{serviceAccountId}/keys': { params: { id: string; serviceAccountId: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; q?: string | undefined }; answer: { data: ApiKey[]; pagination: Pagination } }
  /** Create an API key */
  'POST /v1/organizations/{id}/service-accounts/{serviceAccountId}/keys': { params: { id: string; serviceAccountId: string }; body: NewApiKey; answer: { data: CreatedApiKey } }
  /** Revoke an API key */
  'DELETE /v1/organizations/{id}/service-accounts/{serviceAccountId}/keys/{keyId}': { params: { id: string; serviceAccountId: string; keyId: string }; answer: undefined }
  /** List custom domains */
  'GET /v1/organizations/{id}/domains': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; status?: string | undefined; q?: string | undefined }; answer: { data: Domain[]; pagination: Pagination } }
  /** Add a custom domain */
  'POST /v1/organizations/{id}/domains': { params: { id: string }; body: NewDomain; answer: { data: Domain } }
  /** Remove a custom domain */
  'DELETE /v1/organizations/{id}/domains/{domainId}': { params: { id: string; domainId: string }; answer: undefined }
  /** Verify a custom domain */
  'POST /v1/organizations/{id}/domains/{domainId}/verify': { params: { id: string; domainId: string }; answer: { data: CheckedDomain } }
  /** List locations */
  'GET /v1/organizations/{id}/locations': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; deleted?: string | undefined; q?: string | undefined }; answer: { data: Location[]; pagination: Pagination } }
  /** Create a location */
  'POST /v1/organizations/{id}/locations': { params: { id: string }; body: NewLocation; answer: { data: Location } }
  /** List locations for a picker */
  'GET /v1/organizations/{id}/locations/picker': { params: { id: string }; query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: LocationChoice[] } }
  /** Get a location */
  'GET /v1/organizations/{id}/locations/{locationId}': { params: { id: string; locationId: string }; answer: { data: Location } }
  /** Update a location */
  'PATCH /v1/organizations/{id}/locations/{locationId}': { params: { id: string; locationId: string }; body: LocationChanges; versioned: true; answer: { data: Location } }
  /** Delete a location */
  'DELETE /v1/organizations/{id}/locations/{locationId}': { params: { id: string; locationId: string }; versioned: true; answer: undefined }
  /** Restore a location */
  'POST /v1/organizations/{id}/locations/{locationId}/restore': { params: { id: string; locationId: string }; answer: { data: Location } }
  /** Get the settings of an organization */
  'GET /v1/organizations/{id}/settings': { params: { id: string }; answer: { data: OrganizationSettings } }
  /** Update the settings of an organization */
  'PATCH /v1/organizations/{id}/settings': { params: { id: string }; body: OrganizationSettingsChanges; versioned: true; answer: { data: OrganizationSettings } }
  /** Upload the logo of an organization */
  'POST /v1/organizations/{id}/logo': { params: { id: string }; body: FormData; answer: { data: OrganizationSettings } }
  /** Delete the logo of an organization */
  'DELETE /v1/organizations/{id}/logo': { params: { id: string }; answer: undefined }
  /** Get what the sign-in page of a clinic shows */
  'GET /v1/public/organizations/{slug}/branding': { params: { slug: string }; tagged: true; answer: { data: Branding } }
  /** List the images for PDF templates */
  'GET /v1/organizations/{id}/images': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; q?: string | undefined }; answer: { data: ClinicImage[]; pagination: Pagination } }
  /** Upload an image for PDF templates */
  'POST /v1/organizations/{id}/images': { params: { id: string }; body: FormData; answer: { data: ClinicImage } }
  /** Delete an image used in PDF templates */
  'DELETE /v1/organizations/{id}/images/{imageId}': { params: { id: string; imageId: string }; answer: undefined }
  /** Get a logo or avatar */
  'GET /v1/public/images/{id}': { params: { id: string }; answer: Blob }
  /** Upload the avatar of a specialist */
  'POST /v1/specialists/{id}/avatar': { params: { id: string }; body: FormData; answer: { data: SpecialistImage } }
  /** Delete the avatar of a specialist */
  'DELETE /v1/specialists/{id}/avatar': { params: { id: string }; answer: undefined }
  /** Upload the signature of a specialist */
  'POST /v1/specialists/{id}/signature': { params: { id: string }; body: FormData; answer: { data: SpecialistImage } }
  /** Delete the signature of a specialist */
  'DELETE /v1/specialists/{id}/signature': { params: { id: string }; answer: undefined }
  /** Get the signature of a specialist */
  'GET /v1/specialists/{id}/signature': { params: { id: string }; answer: Blob }
  /** List superadmins */
  'GET /v1/admin/platform-memberships': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; granted_at_after?: string | undefined; granted_at_before?: string | undefined; q?: string | undefined }; answer: { data: PlatformMembership[]; pagination: Pagination } }
  /** Add a superadmin */
  'POST /v1/admin/platform-memberships': { body: NewPlatformMembership; answer: { data: PlatformMembership } }
  /** Remove a superadmin */
  'DELETE /v1/admin/platform-memberships/{principalId}': { params: { principalId: string }; answer: undefined }
  /** Get your account */
  'GET /v1/me': { answer: { data: Me } }
  /** Update your account */
  'PATCH /v1/me': { body: MyChanges; answer: { data: Me } }
  /** Switch the current organization */
  'PUT /v1/me/switch-organization': { body: SwitchOrganization; answer: { data: Me } }
  /** Leave an organization */
  'DELETE /v1/me/memberships/{organizationId}': { params: { organizationId: string }; answer: undefined }
  /** List your sign-in sessions */
  'GET /v1/me/sessions': { answer: WebSessions }
  /** Sign out everywhere */
  'DELETE /v1/me/sessions': { answer: undefined }
  /** End one of your sign-in sessions */
  'DELETE /v1/me/sessions/{id}': { params: { id: string }; answer: undefined }
  /** List your saved views of a list */
  'GET /v1/me/saved-views/{list}': { params: { list: "patients" | "appointments" | "waiting-list" | "session-runs" | "treatment-plans" | "programs" | "exercises" | "exercise-categories" | "exercise-body-regions" | "exercise-equipment" | "exercise-movement-patterns" | "exercise-recovery-phases" | "exercise-conditions" | "exercise-skill-prerequisites" | "segments" | "forms" | "form-templates" | "appointment-documents" | "pdf-templates" | "custom-fields" | "members" | "roles" | "service-accounts" | "specialists" | "specialties" | "services" | "service-plans" | "products" | "calendars" | "closures" | "locations" | "domains" | "images" | "integrations" | "mails" | "webhook-subscriptions" | "webhook-deliveries" | "automation-rules" | "automation-executions" | "consent-purposes" | "privacy-requests" | "audit-logs" | "break-glass" }; answer: { data: SavedViews } }
  /** Replace your saved views of a list */
  'PUT /v1/me/saved-views/{list}': { params: { list: "patients" | "appointments" | "waiting-list" | "session-runs" | "treatment-plans" | "programs" | "exercises" | "exercise-categories" | "exercise-body-regions" | "exercise-equipment" | "exercise-movement-patterns" | "exercise-recovery-phases" | "exercise-conditions" | "exercise-skill-prerequisites" | "segments" | "forms" | "form-templates" | "appointment-documents" | "pdf-templates" | "custom-fields" | "members" | "roles" | "service-accounts" | "specialists" | "specialties" | "services" | "service-plans" | "products" | "calendars" | "closures" | "locations" | "domains" | "images" | "integrations" | "mails" | "webhook-subscriptions" | "webhook-deliveries" | "automation-rules" | "automation-executions" | "consent-purposes" | "privacy-requests" | "audit-logs" | "break-glass" }; body: SavedViewsChanges; versioned: true; answer: { data: SavedViews } }
  /** List patients */
  'GET /v1/patients': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; birth_date_after?: string | undefined; birth_date_before?: string | undefined; patient_profile_id?: string | undefined; sex?: string | undefined; language_code?: string | undefined; lead_specialist_id?: string | undefined; claimed?: string | undefined; restricted?: string | undefined; deleted?: string | undefined; merged?: string | undefined; include?: string | undefined; q?: string | undefined }; answer: { data: PatientSummary[]; pagination: Pagination } }
  /** Create a patient */
  'POST /v1/patients': { body: NewPatient; answer: { data: Patient } }
  /** List patients for a picker */
  'GET /v1/patients/picker': { query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: PatientChoice[] } }
  /** Get a patient */
  'GET /v1/patients/{id}': { params: { id: string }; query?: { include?: string | undefined }; answer: { data: PatientRecord } }
  /** Update a patient */
  'PUT /v1/patients/{id}': { params: { id: string }; body: PatientDetails; versioned: true; answer: { data: Patient } }
  /** Delete a patient */
  'DELETE /v1/patients/{id}': { params: { id: string }; query?: { cancel_visits?: boolean | undefined }; versioned: true; answer: undefined }
  /** Get the summary of a patient */
  'GET /v1/patients/{id}/summary': { params: { id: string }; answer: { data: PatientOverview } }
  /** Invite a patient */
  'POST /v1/patients/{id}/invite': { params: { id: string }; answer: { data: Patient } }
  /** Restore a patient */
  'POST /v1/patients/{id}/restore': { params: { id: string }; answer: { data: Patient } }
  /** Link two records of the same person */
  'PUT /v1/patients/{id}/merged-into': { params: { id: string }; body: PatientMerge; versioned: true; answer: { data: PatientRecord } }
  /** Unlink two records */
  'DELETE /v1/patients/{id}/merged-into': { params: { id: string }; versioned: true; answer: undefined }
  /** List your patient records */
  'GET /v1/me/patient-records': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }; answer: { data: MyPatientRecord[]; pagination: Pagination } }
  /** Impersonate a patient */
  'POST /v1/patients/{id}/impersonate': { params: { id: string }; body: ImpersonationRequest; answer: { data: Impersonation } }
  /** Get the timeline of a patient */
  'GET /v1/patients/{id}/timeline': { params: { id: string }; query?: { before?: string | undefined; kind?: string | undefined; limit?: number | undefined }; answer: Timeline }
  /** Search the clinic */
  'GET /v1/search': { query: { q: string; limit?: number | undefined }; answer: { data: SearchResults } }
  /** List specialists */
  'GET /v1/specialists': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; include?: string | undefined; deleted?: string | undefined; ids?: string | undefined; q?: string | undefined }; answer: { data: Specialist[]; pagination: Pagination } }
  /** Create a specialist */
  'POST /v1/specialists': { query?: { include?: string | undefined }; body: NewSpecialist; answer: { data: Specialist } }
  /** List specialists for a picker */
  'GET /v1/specialists/picker': { query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: SpecialistChoice[] } }
  /** Get a specialist */
  'GET /v1/specialists/{id}': { params: { id: string }; query?: { include?: string | undefined }; answer: { data: Specialist } }
  /** Update a specialist */
  'PUT /v1/specialists/{id}': { params: { id: string }; query?: { include?: string | undefined }; body: SpecialistChanges; versioned: true; answer: { data: Specialist } }
  /** Delete a specialist */
  'DELETE /v1/specialists/{id}': { params: { id: string }; versioned: true; answer: DeletedSpecialist }
  /** Restore a specialist */
  'POST /v1/specialists/{id}/restore': { params: { id: string }; answer: { data: Specialist } }
  /** List specialties */
  'GET /v1/specialties': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; q?: string | undefined }; answer: { data: Specialty[]; pagination: Pagination } }
  /** Create a specialty */
  'POST /v1/specialties': { body: NewSpecialty; answer: { data: Specialty } }
  /** List specialties for a picker */
  'GET /v1/specialties/picker': { query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: SpecialtySummary[] } }
  /** Get a specialty */
  'GET /v1/specialties/{id}': { params: { id: string }; answer: { data: SpecialtyWithSpecialists } }
  /** Update a specialty */
  'PUT /v1/specialties/{id}': { params: { id: string }; body: SpecialtyChanges; versioned: true; answer: { data: Specialty } }
  /** Update a specialty */
  'PATCH /v1/specialties/{id}': { params: { id: string }; body: SpecialtyChanges; versioned: true; answer: { data: Specialty } }
  /** Delete a specialty */
  'DELETE /v1/specialties/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List custom fields */
  'GET /v1/custom-fields': { query?: { entity_type?: string | undefined; deleted?: string | undefined }; answer: CustomFields }
  /** Create a custom field */
  'POST /v1/custom-fields': { body: NewCustomField; answer: { data: CustomField } }
  /** Get a custom field */
  'GET /v1/custom-fields/{id}': { params: { id: string }; answer: { data: CustomField } }
  /** Update a custom field */
  'PUT /v1/custom-fields/{id}': { params: { id: string }; body: CustomFieldChanges; versioned: true; answer: { data: CustomField } }
  /** Update a custom field */
  'PATCH /v1/custom-fields/{id}': { params: { id: string }; body: CustomFieldChanges; versioned: true; answer: { data: CustomField } }
  /** Delete a custom field */
  'DELETE /v1/custom-fields/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List what uses a custom field */
  'GET /v1/custom-fields/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** Publish a custom field */
  'POST /v1/custom-fields/{id}/publish': { params: { id: string }; answer: PublishedField }
  /** Roll back a custom field */
  'POST /v1/custom-fields/{id}/rollback': { params: { id: string }; body: RollbackRequest; answer: { data: CustomField } }
  /** Restore a custom field */
  'POST /v1/custom-fields/{id}/restore': { params: { id: string }; answer: { data: CustomField } }
  /** List the versions of a custom field */
  'GET /v1/custom-fields/{id}/versions': { params: { id: string }; answer: CustomFieldVersion[] }
  /** Get a version of a custom field */
  'GET /v1/custom-fields/{id}/versions/{version}': { params: { id: string; version: number }; answer: CustomFieldVersion }
  /** Get the profile of a patient */
  'GET /v1/patients/{id}/profile': { params: { id: string }; answer: PatientProfile }
  /** Update the profile of a patient */
  'PUT /v1/patients/{id}/profile': { params: { id: string }; body: ProfileChanges; versioned: true; answer: ChangedPatientProfile }
  /** Get profile values to prefill a form */
  'GET /v1/patients/{id}/prefill': { params: { id: string }; query: { keys: string }; answer: Prefill }
  /** Get the profile of a specialist */
  'GET /v1/specialists/{id}/profile': { params: { id: string }; answer: SpecialistProfile }
  /** Update the profile of a specialist */
  'PUT /v1/specialists/{id}/profile': { params: { id: string }; body: ProfileChanges; versioned: true; answer: ChangedSpecialistProfile }
  /** List segments */
  'GET /v1/segments': { answer: SegmentList }
  /** Create a segment */
  'POST /v1/segments': { body: NewSegment; answer: { data: Segment } }
  /** Get a segment */
  'GET /v1/segments/{id}': { params: { id: string }; answer: { data: SegmentWithCount } }
  /** Update a segment */
  'PUT /v1/segments/{id}': { params: { id: string }; body: SegmentDetails; versioned: true; answer: Segment }
  /** Delete a segment */
  'DELETE /v1/segments/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List the versions of a segment */
  'GET /v1/segments/{id}/versions': { params: { id: string }; answer: SegmentVersions }
  /** Get a version of a segment */
  'GET /v1/segments/{id}/versions/{version}': { params: { id: string; version: number }; answer: SegmentVersion }
  /** List the members of a segment */
  'GET /v1/segments/{id}/members': { params: { id: string }; query?: { page?: number | undefined; per_page?: number | undefined; fresh?: boolean | undefined }; answer: SegmentMembers }
  /** List the segments of a patient */
  'GET /v1/patients/{id}/segments': { params: { id: string }; answer: PatientSegments }
  /** Explain the membership of a patient in a segment */
  'GET /v1/segments/{id}/members/{patientId}/explain': { params: { id: string; patientId: string }; answer: { data: SegmentExplanation } }
  /** Re-evaluate a segment in the background */
  'POST /v1/segments/{id}/evaluate': { params: { id: string }; answer: EvaluationQueued }
  /** Get the status of the last evaluation of a segment */
  'GET /v1/segments/{id}/evaluation-status': { params: { id: string }; answer: EvaluationStatus }
  /** Preview a segment */
  'POST /v1/segments/preview': { body: SegmentPreviewRequest; answer: { data: SegmentPreview } }
  /** Re-evaluate the segments of a patient */
  'POST /v1/patients/{id}/evaluate-segments': { params: { id: string }; answer: PatientEvaluation }
  /** List form templates */
  'GET /v1/form-templates': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; published_at_after?: string | undefined; published_at_before?: string | undefined; type?: string | undefined; status?: string | undefined; deleted?: string | undefined; q?: string | undefined }; answer: { data: FormTemplateSummary[]; pagination: Pagination } }
  /** Create a form template */
  'POST /v1/form-templates': { body: FormTemplateDetails; answer: { data: FormTemplate } }
  /** List form templates for a picker */
  'GET /v1/form-templates/picker': { query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: FormTemplateChoice[] } }
  /** Update a form template */
  'PUT /v1/form-templates/{id}': { params: { id: string }; body: FormTemplateDetails; versioned: true; answer: { data: FormTemplate } }
  /** Get a form template */
  'GET /v1/form-templates/{id}': { params: { id: string }; answer: { data: FormTemplate } }
  /** Delete a form template */
  'DELETE /v1/form-templates/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List what uses a form template */
  'GET /v1/form-templates/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** Restore a form template */
  'POST /v1/form-templates/{id}/restore': { params: { id: string }; answer: { data: FormTemplate } }
  /** Publish a form template */
  'POST /v1/form-templates/{id}/publish': { params: { id: string }; answer: { data: FormTemplate } }
  /** Archive a form template */
  'POST /v1/form-templates/{id}/archive': { params: { id: string }; answer: { data: FormTemplate } }
  /** Unarchive a form template */
  'POST /v1/form-templates/{id}/unarchive': { params: { id: string }; answer: { data: FormTemplate } }
  /** List the versions of a form template */
  'GET /v1/form-templates/{id}/versions': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }; answer: { data: FormTemplateVersionSummary[]; pagination: Pagination } }
  /** Get a version of a form template */
  'GET /v1/form-templates/{id}/versions/{version}': { params: { id: string; version: number }; answer: { data: FormTemplateVersion } }
  /** List forms */
  'GET /v1/forms': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; completed_at_after?: string | undefined; completed_at_before?: string | undefined; signed_at_after?: string | undefined; signed_at_before?: string | undefined; status?: string | undefined; type?: string | undefined; signed_by?: string | undefined; appointment_id?: string | undefined; patient_profile_id?: string | undefined; lead_specialist_id?: string | undefined; form_template_id?: string | undefined; amends_form_id?: string | undefined; include?: string | undefined; q?: string | undefined }; answer: { data: FormSummary[]; pagination: Pagination } }
  /** Create a form */
  'POST /v1/forms': { body: NewForm; answer: { data: Form } }
  /** Get a form */
  'GET /v1/forms/{id}': { params: { id: string }; answer: { data: Form } }
  /** Save the answers of a form */
  'PUT /v1/forms/{id}': { params: { id: string }; body: FormSave; versioned: true; answer: SavedForm }
  /** Delete a form */
  'DELETE /v1/forms/{id}': { params: { id: string }; versioned: true; answer: DeletedForm }
  /** Sign a form */
  'POST /v1/forms/{id}/sign': { params: { id: string }; body?: FormSignature | undefined; answer: SignedForm }
  /** Verify a signed form */
  'GET /v1/forms/{id}/verify': { params: { id: string }; answer: { data: FormVerification } }
  /** Upload a file to a form */
  'POST /v1/forms/{id}/files/{fieldKey}': { params: { id: string; fieldKey: string }; body: FormData; answer: UploadedFormFile }
  /** Download a file of a form */
  'GET /v1/forms/{id}/files/{fieldKey}': { params: { id: string; fieldKey: string }; answer: Blob }
  /** Delete a file of a form */
  'DELETE /v1/forms/{id}/files/{fieldKey}': { params: { id: string; fieldKey: string }; answer: DeletedFormFile }
  /** List categories */
  'GET /v1/exercise-categories': { query?: { scope?: string | undefined; deprecated?: string | undefined; parent_id?: string | undefined }; answer: { categories: ExerciseCategory[] } }
  /** Create a category */
  'POST /v1/exercise-categories': { body: NewExerciseCategory; answer: { data: ExerciseCategory } }
  /** Get a category */
  'GET /v1/exercise-categories/{id}': { params: { id: string }; answer: { data: ExerciseCategory } }
  /** Update a category */
  'PUT /v1/exercise-categories/{id}': { params: { id: string }; body: ExerciseCategoryChanges; versioned: true; answer: { data: ExerciseCategory } }
  /** Delete a category */
  'DELETE /v1/exercise-categories/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Deprecate a category */
  'POST /v1/exercise-categories/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseCategory } }
  /** List what uses a category */
  'GET /v1/exercise-categories/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** List body regions */
  'GET /v1/exercise-body-regions': { query?: { scope?: string | undefined; deprecated?: string | undefined; body_area?: string | undefined }; answer: { body_regions: ExerciseBodyRegion[] } }
  /** Create a body region */
  'POST /v1/exercise-body-regions': { body: NewExerciseBodyRegion; answer: { data: ExerciseBodyRegion } }
  /** Get a body region */
  'GET /v1/exercise-body-regions/{id}': { params: { id: string }; answer: { data: ExerciseBodyRegion } }
  /** Update a body region */
  'PUT /v1/exercise-body-regions/{id}': { params: { id: string }; body: ExerciseBodyRegionChanges; versioned: true; answer: { data: ExerciseBodyRegion } }
  /** Delete a body region */
  'DELETE /v1/exercise-body-regions/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Deprecate a body region */
  'POST /v1/exercise-body-regions/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseBodyRegion } }
  /** List what uses a body region */
  'GET /v1/exercise-body-regions/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** List equipment */
  'GET /v1/exercise-equipment': { query?: { scope?: string | undefined; deprecated?: string | undefined }; answer: { equipment: ExerciseEquipment[] } }
  /** Create a piece of equipment */
  'POST /v1/exercise-equipment': { body: NewExerciseEquipment; answer: { data: ExerciseEquipment } }
  /** Get a piece of equipment */
  'GET /v1/exercise-equipment/{id}': { params: { id: string }; answer: { data: ExerciseEquipment } }
  /** Update a piece of equipment */
  'PUT /v1/exercise-equipment/{id}': { params: { id: string }; body: ExerciseEquipmentChanges; versioned: true; answer: { data: ExerciseEquipment } }
  /** Delete a piece of equipment */
  'DELETE /v1/exercise-equipment/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Deprecate a piece of equipment */
  'POST /v1/exercise-equipment/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseEquipment } }
  /** List what uses a piece of equipment */
  'GET /v1/exercise-equipment/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** List movement patterns */
  'GET /v1/exercise-movement-patterns': { query?: { scope?: string | undefined; deprecated?: string | undefined }; answer: { movement_patterns: ExerciseMovementPattern[] } }
  /** Create a movement pattern */
  'POST /v1/exercise-movement-patterns': { body: NewExerciseMovementPattern; answer: { data: ExerciseMovementPattern } }
  /** Get a movement pattern */
  'GET /v1/exercise-movement-patterns/{id}': { params: { id: string }; answer: { data: ExerciseMovementPattern } }
  /** Update a movement pattern */
  'PATCH /v1/exercise-movement-patterns/{id}': { params: { id: string }; body: ExerciseMovementPatternChanges; versioned: true; answer: { data: ExerciseMovementPattern } }
  /** Deprecate a movement pattern */
  'POST /v1/exercise-movement-patterns/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseMovementPattern } }
  /** List recovery phases */
  'GET /v1/exercise-recovery-phases': { query?: { scope?: string | undefined; deprecated?: string | undefined }; answer: { recovery_phases: ExerciseRecoveryPhase[] } }
  /** Create a recovery phase */
  'POST /v1/exercise-recovery-phases': { body: NewExerciseRecoveryPhase; answer: { data: ExerciseRecoveryPhase } }
  /** Get a recovery phase */
  'GET /v1/exercise-recovery-phases/{id}': { params: { id: string }; answer: { data: ExerciseRecoveryPhase } }
  /** Update a recovery phase */
  'PATCH /v1/exercise-recovery-phases/{id}': { params: { id: string }; body: ExerciseRecoveryPhaseChanges; versioned: true; answer: { data: ExerciseRecoveryPhase } }
  /** Deprecate a recovery phase */
  'POST /v1/exercise-recovery-phases/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseRecoveryPhase } }
  /** List conditions */
  'GET /v1/exercise-conditions': { query?: { scope?: string | undefined; deprecated?: string | undefined; body_region_id?: string | undefined; q?: string | undefined; limit?: number | undefined; icd10?: string | undefined }; answer: { conditions: ExerciseCondition[] } }
  /** Create a condition */
  'POST /v1/exercise-conditions': { body: NewExerciseCondition; answer: { data: ExerciseCondition } }
  /** Get a condition */
  'GET /v1/exercise-conditions/{id}': { params: { id: string }; answer: { data: ExerciseCondition } }
  /** Update a condition */
  'PATCH /v1/exercise-conditions/{id}': { params: { id: string }; body: ExerciseConditionChanges; versioned: true; answer: { data: ExerciseCondition } }
  /** Deprecate a condition */
  'POST /v1/exercise-conditions/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseCondition } }
  /** List skill prerequisites */
  'GET /v1/exercise-skill-prerequisites': { query?: { scope?: string | undefined; deprecated?: string | undefined }; answer: { skill_prerequisites: ExerciseSkillPrerequisite[] } }
  /** Create a skill prerequisite */
  'POST /v1/exercise-skill-prerequisites': { body: NewExerciseSkillPrerequisite; answer: { data: ExerciseSkillPrerequisite } }
  /** Get a skill prerequisite */
  'GET /v1/exercise-skill-prerequisites/{id}': { params: { id: string }; answer: { data: ExerciseSkillPrerequisite } }
  /** Update a skill prerequisite */
  'PATCH /v1/exercise-skill-prerequisites/{id}': { params: { id: string }; body: ExerciseSkillPrerequisiteChanges; versioned: true; answer: { data: ExerciseSkillPrerequisite } }
  /** Deprecate a skill prerequisite */
  'POST /v1/exercise-skill-prerequisites/{id}/deprecate': { params: { id: string }; body?: TaxonomyDeprecation | undefined; answer: { data: ExerciseSkillPrerequisite } }
  /** List exercises */
  'GET /v1/exercises': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; category_id?: string | undefined; body_region_id?: string | undefined; equipment_id?: string | undefined; movement_pattern_id?: string | undefined; recovery_phase_id?: string | undefined; condition_id?: string | undefined; skill_prerequisite_id?: string | undefined; difficulty?: string | undefined; status?: string | undefined; scope?: string | undefined; has_video?: string | undefined; tracking_enabled?: string | undefined; deleted?: string | undefined; q?: string | undefined }; answer: Exercises }
  /** Create an exercise */
  'POST /v1/exercises': { body: NewExercise; answer: { data: Exercise } }
  /** Get an exercise */
  'GET /v1/exercises/{id}': { params: { id: string }; answer: { data: Exercise } }
  /** Update an exercise */
  'PUT /v1/exercises/{id}': { params: { id: string }; body: ExerciseChanges; versioned: true; answer: { data: Exercise } }
  /** Delete an exercise */
  'DELETE /v1/exercises/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List what uses an exercise */
  'GET /v1/exercises/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** Restore an exercise */
  'POST /v1/exercises/{id}/restore': { params: { id: string }; answer: { data: Exercise } }
  /** Change the status of an exercise */
  'PUT /v1/exercises/{id}/status': { params: { id: string }; body: ExerciseStatusChange; versioned: true; answer: { data: Exercise } }
  /** Clone an exercise */
  'POST /v1/exercises/{id}/clone': { params: { id: string }; body?: ExerciseClone | undefined; answer: { data: Exercise } }
  /** List the instructions of an exercise */
  'GET /v1/exercises/{id}/instructions': { params: { id: string }; answer: Instructions }
  /** Add an instruction to an exercise */
  'POST /v1/exercises/{id}/instructions': { params: { id: string }; body: NewInstruction; answer: { data: Instruction } }
  /** Reorder the instructions of an exercise */
  'PUT /v1/exercises/{id}/instructions/reorder': { params: { id: string }; body: InstructionOrder; answer: Instructions }
  /** Update an instruction */
  'PUT /v1/exercises/{id}/instructions/{instructionId}': { params: { id: string; instructionId: number }; body: InstructionChanges; versioned: true; answer: { data: Instruction } }
  /** Delete an instruction */
  'DELETE /v1/exercises/{id}/instructions/{instructionId}': { params: { id: string; instructionId: number }; versioned: true; answer: undefined }
  /** Upload the image of an instruction */
  'POST /v1/exercises/{id}/instructions/{instructionId}/image': { params: { id: string; instructionId: number }; body: FormData; answer: InstructionImage }
  /** Delete the image of an instruction */
  'DELETE /v1/exercises/{id}/instructions/{instructionId}/image': { params: { id: string; instructionId: number }; answer: undefined }
  /** Upload the video of an exercise */
  'POST /v1/exercises/{id}/video': { params: { id: string }; body: FormData; answer: { data: ExerciseVideo } }
  /** Delete the video of an exercise */
  'DELETE /v1/exercises/{id}/video': { params: { id: string }; answer: undefined }
  /** Start a resumable upload of the video of an exercise */
  'POST /v1/exercises/{id}/video/uploads': { params: { id: string }; answer: undefined }
  /** List your unfinished video uploads of an exercise */
  'GET /v1/exercises/{id}/video/uploads': { params: { id: string }; answer: { data: VideoUpload[] } }
  /** Get the state of an upload */
  'GET /v1/exercises/{id}/video/uploads/{uploadId}': { params: { id: string; uploadId: string }; answer: { data: VideoUpload } }
  /** Send the next bytes of an upload */
  'PATCH /v1/exercises/{id}/video/uploads/{uploadId}': { params: { id: string; uploadId: string }; body: Blob | ArrayBuffer | ArrayBufferView; answer: undefined }
  /** Cancel an upload */
  'DELETE /v1/exercises/{id}/video/uploads/{uploadId}': { params: { id: string; uploadId: string }; answer: undefined }
  /** Use a completed upload as the video of an exercise */
  'POST /v1/exercises/{id}/video/uploads/{uploadId}/finish': { params: { id: string; uploadId: string }; answer: { data: ExerciseVideo } }
  /** Get the HLS playlist of a video */
  'GET /v1/public/videos/{path}': { params: { path: string }; answer: Blob }
  /** Get the pose configuration of an exercise */
  'GET /v1/exercises/{id}/pose-config': { params: { id: string }; answer: { data: PoseConfigVersion } }
  /** Update the pose configuration of an exercise */
  'PUT /v1/exercises/{id}/pose-config': { params: { id: string }; body: NewPoseConfig; versioned: true; answer: { data: PoseConfigVersion } }
  /** List the versions of a pose configuration */
  'GET /v1/exercises/{id}/pose-config/versions': { params: { id: string }; answer: PoseConfigVersions }
  /** Get a version of a pose configuration */
  'GET /v1/exercises/{id}/pose-config/versions/{version}': { params: { id: string; version: number }; answer: { data: PoseConfigVersion } }
  /** Propose a pose configuration from a recording */
  'POST /v1/exercises/{id}/pose-config/propose': { params: { id: string }; body: PoseConfigRecording; answer: { data: PoseConfigProposal } }
  /** List the prerequisites of an exercise */
  'GET /v1/exercises/{id}/prerequisites': { params: { id: string }; answer: Prerequisites }
  /** Add a prerequisite to an exercise */
  'POST /v1/admin/exercises/{id}/prerequisites': { params: { id: string }; body: NewPrerequisite; answer: { data: Prerequisite } }
  /** Remove a prerequisite from an exercise */
  'DELETE /v1/admin/exercises/{id}/prerequisites/{prerequisite_exercise_id}': { params: { id: string; prerequisite_exercise_id: string }; answer: undefined }
  /** List the contraindications of an exercise */
  'GET /v1/exercises/{id}/contraindications': { params: { id: string }; answer: Contraindications }
  /** Add a contraindication to an exercise */
  'POST /v1/exercises/{id}/contraindications': { params: { id: string }; body: NewContraindication; answer: { data: Contraindication } }
  /** Remove a contraindication from an exercise */
  'DELETE /v1/exercises/{id}/contraindications/{contraindicationId}': { params: { id: string; contraindicationId: string }; answer: undefined }
  /** Add a tag to an exercise */
  'POST /v1/admin/exercises/{id}/tags': { params: { id: string }; body: NewExerciseTag; answer: { data: ExerciseTag } }
  /** Remove a tag from an exercise */
  'DELETE /v1/admin/exercises/{id}/tags': { params: { id: string }; query: { tag_type: "category" | "body_region" | "equipment" | "movement_pattern" | "recovery_phase" | "condition" | "skill_prerequisite"; tag_id: string }; answer: undefined }
  /** List the conditions of a patient */
  'GET /v1/patients/{id}/conditions': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }; answer: { data: PatientCondition[]; pagination: Pagination } }
  /** Add a condition to a patient */
  'POST /v1/patients/{id}/conditions': { params: { id: string }; body: NewPatientCondition; answer: RecordedCondition }
  /** Update a condition of a patient */
  'PATCH /v1/patients/{id}/conditions/{conditionId}': { params: { id: string; conditionId: string }; body: PatientConditionChanges; versioned: true; answer: RecordedCondition }
  /** Remove a condition from a patient */
  'DELETE /v1/patients/{id}/conditions/{conditionId}': { params: { id: string; conditionId: string }; versioned: true; answer: undefined }
  /** List programs */
  'GET /v1/programs': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; status?: string | undefined; deleted?: string | undefined; q?: string | undefined }; answer: { data: ProgramSummary[]; pagination: Pagination } }
  /** Create a program */
  'POST /v1/programs': { body: NewProgram; answer: { data: ProgramDetails } }
  /** List programs for a picker */
  'GET /v1/programs/picker': { query?: { q?: string | undefined; ids?: string | undefined; limit?: number | undefined }; answer: { data: ProgramChoice[] } }
  /** Get a program */
  'GET /v1/programs/{id}': { params: { id: string }; answer: { data: ProgramDetails } }
  /** Update a program */
  'PUT /v1/programs/{id}': { params: { id: string }; body: ProgramReplacement; versioned: true; answer: { data: ProgramDetails } }
  /** Delete a program */
  'DELETE /v1/programs/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Change the status of a program */
  'PUT /v1/programs/{id}/status': { params: { id: string }; body: ProgramStatusChange; versioned: true; answer: { data: ProgramDetails } }
  /** List what uses a program */
  'GET /v1/programs/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** Restore a program */
  'POST /v1/programs/{id}/restore': { params: { id: string }; answer: { data: ProgramDetails } }
  /** List treatment plans */
  'GET /v1/treatment-plans': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; last_active_at_after?: string | undefined; last_active_at_before?: string | undefined; patient_id?: string | undefined; program_id?: string | undefined; lead_specialist_id?: string | undefined; status?: string | undefined; q?: string | undefined }; answer: { data: TreatmentPlanSummary[]; pagination: Pagination } }
  /** Create a treatment plan */
  'POST /v1/treatment-plans': { body: NewTreatmentPlan; answer: { data: TreatmentPlan } }
  /** Get a treatment plan */
  'GET /v1/treatment-plans/{id}': { params: { id: string }; answer: { data: TreatmentPlan } }
  /** Update a treatment plan */
  'PUT /v1/treatment-plans/{id}': { params: { id: string }; body: TreatmentPlanReplacement; versioned: true; answer: { data: TreatmentPlan } }
  /** Delete a treatment plan */
  'DELETE /v1/treatment-plans/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Change the status of a treatment plan */
  'PUT /v1/treatment-plans/{id}/status': { params: { id: string }; body: TreatmentPlanStatusChange; versioned: true; answer: { data: TreatmentPlan } }
  /** Check the safety of exercises for a patient */
  'POST /v1/treatment-plans/safety-check': { body: SafetyCheck; answer: { data: SafetyCheckResult[] } }
  /** List your treatment plans */
  'GET /v1/me/treatment-plans': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; status?: string | undefined }; answer: { data: MyTreatmentPlanSummary[]; pagination: Pagination } }
  /** Get one of your treatment plans */
  'GET /v1/me/treatment-plans/{id}': { params: { id: string }; answer: { data: MyTreatmentPlan } }
  /** Start or resume a session run */
  'POST /v1/session-runs': { body: NewSessionRun; answer: StartedRun }
  /** List session runs */
  'GET /v1/session-runs': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; started_at_after?: string | undefined; started_at_before?: string | undefined; patient_id?: string | undefined; lead_specialist_id?: string | undefined; status?: string | undefined; treatment_plan_id?: string | undefined; plan_session_id?: string | undefined; incomplete?: string | undefined }; tagged: true; answer: { data: ClinicRun[]; pagination: Pagination } }
  /** Get the player payload of a session run */
  'GET /v1/session-runs/{runId}/payload': { params: { runId: string }; answer: { data: RunPayload } }
  /** Record an exercise event */
  'POST /v1/session-runs/{runId}/exercise-event': { params: { runId: string }; body: NewExerciseEvent; answer: { data: ExerciseEvent } }
  /** Report pain */
  'POST /v1/session-runs/{runId}/pain': { params: { runId: string }; body: NewPainReport; answer: { data: PainReport } }
  /** End a session run */
  'POST /v1/session-runs/{runId}/end': { params: { runId: string }; body: RunEnd; answer: { data: EndedRun } }
  /** Submit feedback on a session run */
  'POST /v1/session-runs/{runId}/feedback': { params: { runId: string }; body: NewSessionFeedback; answer: { data: SessionFeedback } }
  /** List your session runs */
  'GET /v1/me/session-runs': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; started_at_after?: string | undefined; started_at_before?: string | undefined; status?: string | undefined; treatment_plan_id?: string | undefined; plan_session_id?: string | undefined }; answer: { data: MyRunSummary[]; pagination: Pagination } }
  /** List the session runs of a patient */
  'GET /v1/patients/{id}/session-runs': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; started_at_after?: string | undefined; started_at_before?: string | undefined; status?: string | undefined; treatment_plan_id?: string | undefined; plan_session_id?: string | undefined }; answer: { data: RunSummary[]; pagination: Pagination } }
  /** Get the analytics of a session run */
  'GET /v1/session-runs/{runId}/analytics': { params: { runId: string }; answer: { data: RunAnalytics } }
  /** Get the replay of a session run */
  'GET /v1/session-runs/{runId}/replay': { params: { runId: string }; answer: { data: Replay } }
  /** Get the timeline of a session run */
  'GET /v1/session-runs/{runId}/timeline': { params: { runId: string }; answer: { data: RunTimeline } }
  /** Get your tasks */
  'GET /v1/me/today': { answer: { data: Today } }
  /** Get exercise adherence */
  'GET /v1/analytics/cohort/exercise-adherence': { query?: { program_id?: string | undefined; from?: string | undefined; to?: string | undefined }; answer: { data: CohortAdherence } }
  /** Get platform exercise counts */
  'GET /v1/admin/platform/exercise-aggregate-counts': { answer: { data: ({ exercise_id: string; exercise_name: string; exercise_slug: string; people: number; assigned: number; completed: number | null; skipped: number | null; abandoned: number | null; measured: number | null; repetitions: number | null })[] } }
  /** Get an overview of session runs */
  'GET /v1/stats/overview': { query?: { program_id?: string | undefined; from?: string | undefined; to?: string | undefined }; answer: { data: StatsOverview } }
  /** Get statistics by exercise */
  'GET /v1/stats/exercises': { query?: { program_id?: string | undefined; from?: string | undefined; to?: string | undefined }; answer: { data: StatsExercises } }
  /** Get a summary of reported pain */
  'GET /v1/stats/pain-summary': { query?: { program_id?: string | undefined; from?: string | undefined; to?: string | undefined }; answer: { data: StatsPainSummary } }
  /** List what needs attention */
  'GET /v1/attention': { query?: { scope?: "clinic" | "mine" | undefined }; tagged: true; answer: { data: AttentionItem[] } }
  /** Mark what needs attention */
  'PUT /v1/attention/{key}': { params: { key: string }; body: AttentionMarkChange; answer: { data: MarkedAttention } }
  /** List the public services of a clinic */
  'GET /v1/public/services': { query: { organization: string }; answer: { data: PublicService[] } }
  /** List services */
  'GET /v1/services': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; deleted?: string | undefined; status?: string | undefined; is_public?: string | undefined; q?: string | undefined }; answer: { data: Service[]; pagination: Pagination } }
  /** Create a service */
  'POST /v1/services': { body: NewService; answer: { data: Service } }
  /** Get a service */
  'GET /v1/services/{id}': { params: { id: string }; answer: { data: Service } }
  /** Update a service */
  'PATCH /v1/services/{id}': { params: { id: string }; body: ServiceChanges; versioned: true; answer: { data: Service } }
  /** Delete a service */
  'DELETE /v1/services/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Restore a service */
  'POST /v1/services/{id}/restore': { params: { id: string }; answer: { data: Service } }
  /** List service plans */
  'GET /v1/service-plans': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; deleted?: string | undefined; status?: string | undefined; q?: string | undefined }; answer: { data: ServicePlan[]; pagination: Pagination } }
  /** Create a service plan */
  'POST /v1/service-plans': { body: NewServicePlan; answer: { data: ServicePlan } }
  /** Get a service plan */
  'GET /v1/service-plans/{id}': { params: { id: string }; answer: { data: ServicePlan } }
  /** Update a service plan */
  'PATCH /v1/service-plans/{id}': { params: { id: string }; body: ServicePlanChanges; versioned: true; answer: { data: ServicePlan } }
  /** Delete a service plan */
  'DELETE /v1/service-plans/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List the products of a service plan */
  'GET /v1/service-plans/{id}/products': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; q?: string | undefined }; answer: { data: ServicePlanProductDetails[]; pagination: Pagination } }
  /** Add a product to a service plan */
  'POST /v1/service-plans/{id}/products': { params: { id: string }; body: NewServicePlanProduct; answer: { data: ServicePlan } }
  /** Remove a product from a service plan */
  'DELETE /v1/service-plans/{id}/products/{productId}': { params: { id: string; productId: string }; answer: undefined }
  /** Restore a service plan */
  'POST /v1/service-plans/{id}/restore': { params: { id: string }; answer: { data: ServicePlan } }
  /** List products */
  'GET /v1/products': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; deleted?: string | undefined; status?: string | undefined; q?: string | undefined }; answer: { data: Product[]; pagination: Pagination } }
  /** Create a product */
  'POST /v1/products': { body: NewProduct; answer: { data: Product } }
  /** Get a product */
  'GET /v1/products/{id}': { params: { id: string }; answer: { data: Product } }
  /** Update a product */
  'PATCH /v1/products/{id}': { params: { id: string }; body: ProductChanges; versioned: true; answer: { data: Product } }
  /** Delete a product */
  'DELETE /v1/products/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Restore a product */
  'POST /v1/products/{id}/restore': { params: { id: string }; answer: { data: Product } }
  /** List calendars */
  'GET /v1/calendars': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; specialist_id?: string | undefined; location_id?: string | undefined; is_active?: string | undefined; q?: string | undefined }; answer: { data: Calendar[]; pagination: Pagination } }
  /** Create a calendar */
  'POST /v1/calendars': { body: NewCalendar; answer: { data: Calendar } }
  /** Get a calendar */
  'GET /v1/calendars/{id}': { params: { id: string }; answer: { data: Calendar } }
  /** Update a calendar */
  'PATCH /v1/calendars/{id}': { params: { id: string }; body: CalendarChanges; versioned: true; answer: { data: Calendar } }
  /** Delete a calendar */
  'DELETE /v1/calendars/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Replace the weekly hours of a calendar */
  'PUT /v1/calendars/{id}/weekly-hours': { params: { id: string }; body: WeeklyHoursBody; versioned: true; answer: { data: Calendar } }
  /** Add an override to a calendar */
  'POST /v1/calendars/{id}/overrides': { params: { id: string }; body: NewCalendarOverride; answer: { data: Calendar } }
  /** Delete an override of a calendar */
  'DELETE /v1/calendars/{id}/overrides/{overrideId}': { params: { id: string; overrideId: string }; answer: undefined }
  /** List closures */
  'GET /v1/closures': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; date_after?: string | undefined; date_before?: string | undefined; location_id?: string | undefined }; answer: { data: Closure[]; pagination: Pagination } }
  /** Create a closure */
  'POST /v1/closures': { body: NewClosure; answer: { data: Closure } }
  /** Update a closure */
  'PATCH /v1/closures/{id}': { params: { id: string }; body: ClosureChanges; versioned: true; answer: { data: Closure } }
  /** Delete a closure */
  'DELETE /v1/closures/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List free times of a public service */
  'GET /v1/public/availability': { query: { organization: string; service_id: string; specialist_id?: string | undefined; location_id?: string | undefined; mode?: "in_person" | "video" | "phone" | undefined; from: string; to: string; timezone?: string | undefined; limit?: number | undefined; moves_calendar_uid?: string | undefined }; tagged: true; answer: Availability }
  /** List free times of a service for staff */
  'GET /v1/availability': { query: { service_id: string; specialist_id?: string | undefined; location_id?: string | undefined; mode?: "in_person" | "video" | "phone" | undefined; from: string; to: string; timezone?: string | undefined; limit?: number | undefined; explain?: boolean | undefined }; answer: ExplainedAvailability }
  /** Hold a time */
  'POST /v1/public/holds': { body: NewPublicHold; answer: { data: Hold } }
  /** Hold a time as staff */
  'POST /v1/holds': { body: NewHold; answer: { data: Hold } }
  /** Release a hold */
  'DELETE /v1/public/holds/{id}': { params: { id: string }; answer: undefined }
  /** Follow a hold */
  'GET /v1/public/holds/{id}/stream': { params: { id: string }; answer: Blob }
  /** List appointments */
  'GET /v1/appointments': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; starts_at_after?: string | undefined; starts_at_before?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; slot_freed_at_after?: string | undefined; slot_freed_at_before?: string | undefined; status?: string | undefined; specialist_id?: string | undefined; patient_id?: string | undefined; service_id?: string | undefined; location_id?: string | undefined; series_id?: string | undefined; day_off?: string | undefined; include?: string | undefined }; tagged: true; answer: { data: Appointment[]; pagination: Pagination } }
  /** Create an appointment */
  'POST /v1/appointments': { body: NewAppointment; answer: { data: Appointment } }
  /** Get an appointment */
  'GET /v1/appointments/{id}': { params: { id: string }; answer: { data: Appointment } }
  /** Update an appointment */
  'PATCH /v1/appointments/{id}': { params: { id: string }; body: AppointmentChanges; versioned: true; answer: { data: Appointment } }
  /** Mark an appointment as entered in error */
  'DELETE /v1/appointments/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** Change the status of an appointment */
  'PUT /v1/appointments/{id}/status': { params: { id: string }; body: AppointmentStatusChange; versioned: true; answer: { data: Appointment } }
  /** Reschedule an appointment */
  'POST /v1/appointments/{id}/reschedule': { params: { id: string }; body: AppointmentMove; answer: { data: Appointment } }
  /** Link a booking to a patient */
  'POST /v1/appointments/{id}/link-patient': { params: { id: string }; body: LinkPatient; answer: { data: Appointment } }
  /** List appointments that a day off would affect */
  'GET /v1/appointments/affected': { query: { date: string; date_to?: string | undefined; calendar_id?: string | undefined; location_id?: string | undefined }; answer: AffectedAppointments }
  /** List your appointments */
  'GET /v1/me/appointments': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; starts_at_after?: string | undefined; starts_at_before?: string | undefined; status?: string | undefined }; tagged: true; answer: { data: MyAppointment[]; pagination: Pagination } }
  /** Book an appointment for yourself */
  'POST /v1/me/appointments': { body: NewMyAppointment; answer: { data: MyAppointment } }
  /** Cancel your appointment */
  'POST /v1/me/appointments/{id}/cancel': { params: { id: string }; body: MyAppointmentCancel; answer: { data: MyAppointment } }
  /** Reschedule your appointment */
  'POST /v1/me/appointments/{id}/reschedule': { params: { id: string }; body: MyAppointmentMove; answer: { data: MyAppointment } }
  /** Get the meeting link of your appointment */
  'GET /v1/me/appointments/{id}/join': { params: { id: string }; answer: { data: MeetingLink } }
  /** Review your appointment */
  'POST /v1/appointments/{id}/reviews': { params: { id: string }; body: NewAppointmentReview; answer: { data: AppointmentReview } }
  /** List the reviews of an appointment */
  'GET /v1/appointments/{id}/reviews': { params: { id: string }; answer: { data: AppointmentReview[] } }
  /** Cancel the rest of a series */
  'POST /v1/appointments/series/{id}/cancel': { params: { id: string }; body: SeriesCancellation; answer: { data: CancelledSeries } }
  /** List the files of an appointment */
  'GET /v1/appointments/{id}/files': { params: { id: string }; answer: { data: AppointmentFile[] } }
  /** Upload a file to an appointment */
  'POST /v1/appointments/{id}/files': { params: { id: string }; body: FormData; answer: { data: AppointmentFile } }
  /** Download a file of an appointment */
  'GET /v1/appointments/{id}/files/{fileId}': { params: { id: string; fileId: string }; answer: Blob }
  /** Delete a file of an appointment */
  'DELETE /v1/appointments/{id}/files/{fileId}': { params: { id: string; fileId: string }; answer: undefined }
  /** Book a held time */
  'POST /v1/public/bookings': { body: NewBooking; answer: { data: CreatedBooking } }
  /** Get a booking by its link */
  'GET /v1/public/bookings/{token}': { params: { token: string }; answer: { data: Booking } }
  /** Cancel a booking by its link */
  'DELETE /v1/public/bookings/{token}': { params: { token: string }; answer: undefined }
  /** Move a booking to a held time */
  'POST /v1/public/bookings/{token}/reschedule': { params: { token: string }; body: BookingMove; answer: { data: Booking } }
  /** List bookings that may be yours */
  'GET /v1/me/bookings': { answer: { data: MyBooking[] } }
  /** Confirm that a booking is yours */
  'POST /v1/me/bookings/{id}/link': { params: { id: string }; body: LinkMyBooking; answer: undefined }
  /** Decline a booking that is not yours */
  'POST /v1/me/bookings/{id}/dismiss': { params: { id: string }; answer: undefined }
  /** List the offers of a waitlist entry */
  'GET /v1/appointments/{id}/offers': { params: { id: string }; tagged: true; answer: { data: WaitlistOffer[] } }
  /** Offer a time to a waitlist entry */
  'POST /v1/appointments/{id}/offer': { params: { id: string }; body: { starts_at?: string; specialist_id?: string; over_limit?: boolean } | null; answer: { data: WaitlistOffer } }
  /** End the open offer of a waitlist entry */
  'DELETE /v1/appointments/{id}/offer': { params: { id: string }; answer: undefined }
  /** Get an offer by its link */
  'GET /v1/public/waitlist-offers/{token}': { params: { token: string }; answer: { data: PublicWaitlistOffer } }
  /** Accept an offer */
  'POST /v1/public/waitlist-offers/{token}': { params: { token: string }; answer: { data: PublicWaitlistOffer } }
  /** Decline an offer */
  'DELETE /v1/public/waitlist-offers/{token}': { params: { token: string }; answer: undefined }
  /** List the reminders of an appointment */
  'GET /v1/appointments/{id}/reminders': { params: { id: string }; answer: { data: AppointmentReminder[] } }
  /** Create the calendar feed of a specialist */
  'POST /v1/specialists/{id}/calendar-feed': { params: { id: string }; answer: { data: CalendarFeed } }
  /** Delete the calendar feed of a specialist */
  'DELETE /v1/specialists/{id}/calendar-feed': { params: { id: string }; answer: undefined }
  /** Create the calendar feed of your appointments */
  'POST /v1/me/calendar-feed': { answer: { data: CalendarFeed } }
  /** Delete the calendar feed of your appointments */
  'DELETE /v1/me/calendar-feed': { answer: undefined }
  /** Get a calendar feed */
  'GET /v1/public/calendar-feeds/{file}': { params: { file: string }; answer: Blob }
  /** Get the visits of a period with everything around them */
  'GET /v1/calendar': { query: { from: string; to: string; specialist_id?: string | undefined; location_id?: string | undefined; detail?: "visits" | "taken" | undefined }; tagged: true; answer: { data: CalendarView } }
  /** List PDF templates */
  'GET /v1/pdf-templates': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; updated_at_after?: string | undefined; updated_at_before?: string | undefined; published_at_after?: string | undefined; published_at_before?: string | undefined; kind?: string | undefined; language?: string | undefined; status?: string | undefined; deleted?: string | undefined; q?: string | undefined }; answer: { data: PdfTemplateSummary[]; pagination: Pagination } }
  /** Create a PDF template */
  'POST /v1/pdf-templates': { body: NewPdfTemplate; answer: { data: PdfTemplate } }
  /** List the built-in PDF templates */
  'GET /v1/pdf-templates/defaults': { answer: { data: DefaultPdfTemplate[] } }
  /** Preview a PDF template */
  'POST /v1/pdf-templates/preview': { body: PdfTemplatePreview; answer: Blob }
  /** Update a PDF template */
  'PATCH /v1/pdf-templates/{id}': { params: { id: string }; body: PdfTemplateChanges; versioned: true; answer: { data: PdfTemplate } }
  /** Get a PDF template */
  'GET /v1/pdf-templates/{id}': { params: { id: string }; answer: { data: PdfTemplate } }
  /** Delete a PDF template */
  'DELETE /v1/pdf-templates/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List what uses a PDF template */
  'GET /v1/pdf-templates/{id}/usage': { params: { id: string }; answer: { data: Usage } }
  /** Restore a PDF template */
  'POST /v1/pdf-templates/{id}/restore': { params: { id: string }; answer: { data: PdfTemplate } }
  /** Publish a PDF template */
  'POST /v1/pdf-templates/{id}/publish': { params: { id: string }; answer: { data: PdfTemplate } }
  /** Archive a PDF template */
  'POST /v1/pdf-templates/{id}/archive': { params: { id: string }; answer: { data: PdfTemplate } }
  /** Unarchive a PDF template */
  'POST /v1/pdf-templates/{id}/unarchive': { params: { id: string }; answer: { data: PdfTemplate } }
  /** List the versions of a PDF template */
  'GET /v1/pdf-templates/{id}/versions': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }; answer: { data: PdfTemplateVersionSummary[]; pagination: Pagination } }
  /** Get a version of a PDF template */
  'GET /v1/pdf-templates/{id}/versions/{version}': { params: { id: string; version: number }; answer: { data: PdfTemplateVersion } }
  /** Create a PDF of a form */
  'POST /v1/forms/{id}/render': { params: { id: string }; body?: DocumentRequest | undefined; answer: { data: AppointmentDocument } }
  /** Create a PDF of an appointment */
  'POST /v1/appointments/{id}/documents': { params: { id: string }; body?: AppointmentDocumentRequest | undefined; answer: { data: AppointmentDocument } }
  /** Create a PDF of a treatment plan */
  'POST /v1/treatment-plans/{id}/render': { params: { id: string }; body?: DocumentRequest | undefined; answer: { data: AppointmentDocument } }
  /** List documents */
  'GET /v1/appointment-documents': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; kind?: string | undefined; appointment_id?: string | undefined; form_id?: string | undefined; treatment_plan_id?: string | undefined; patient_profile_id?: string | undefined }; answer: { data: AppointmentDocument[]; pagination: Pagination } }
  /** Get a document */
  'GET /v1/appointment-documents/{id}': { params: { id: string }; answer: { data: AppointmentDocument } }
  /** Download a document */
  'GET /v1/appointment-documents/{id}/download': { params: { id: string }; answer: Blob }
  /** Verify a document by its code */
  'GET /v1/public/documents/verify/{code}': { params: { code: string }; query?: { language?: "en" | "ro" | undefined }; answer: { data: DocumentVerification } }
  /** List the services that can be connected */
  'GET /v1/integration-services': { answer: { data: IntegrationService[] } }
  /** List the integrations of an organization */
  'GET /v1/organizations/{id}/integrations': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; status?: string | undefined; service_slug?: string | undefined }; answer: { data: Integration[]; pagination: IntegrationPagination } }
  /** Connect a service with credentials */
  'POST /v1/organizations/{id}/integrations': { params: { id: string }; body: NewIntegration; answer: { data: CreatedIntegration } }
  /** Get an integration */
  'GET /v1/organizations/{id}/integrations/{integrationId}': { params: { id: string; integrationId: string }; answer: { data: Integration } }
  /** Update an integration */
  'PATCH /v1/organizations/{id}/integrations/{integrationId}': { params: { id: string; integrationId: string }; body: IntegrationChanges; versioned: true; answer: { data: Integration } }
  /** Disconnect a service */
  'DELETE /v1/organizations/{id}/integrations/{integrationId}': { params: { id: string; integrationId: string }; versioned: true; answer: undefined }
  /** Test an integration */
  'POST /v1/organizations/{id}/integrations/{integrationId}/test': { params: { id: string; integrationId: string }; answer: { data: ConnectionTest } }
  /** Replace the credentials of an integration */
  'PUT /v1/organizations/{id}/integrations/{integrationId}/credentials': { params: { id: string; integrationId: string }; body: NewIntegrationCredentials; versioned: true; answer: { data: CreatedIntegration } }
  /** List the status changes of an integration */
  'GET /v1/organizations/{id}/integrations/{integrationId}/events': { params: { id: string; integrationId: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }; answer: { data: IntegrationEvent[]; pagination: Pagination } }
  /** Start connecting a service by signing in to it */
  'POST /v1/organizations/{id}/integrations/authorize': { params: { id: string }; body: NewAuthorization; answer: { data: AuthorizationUrl } }
  /** Start connecting a service again */
  'POST /v1/organizations/{id}/integrations/{integrationId}/authorize': { params: { id: string; integrationId: string }; body: NewReauthorization; answer: { data: AuthorizationUrl } }
  /** List platform providers */
  'GET /v1/admin/platform-service-providers': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; capability?: string | undefined; status?: string | undefined }; answer: { data: PlatformServiceProvider[]; pagination: Pagination } }
  /** Add a platform provider */
  'POST /v1/admin/platform-service-providers': { body: NewPlatformServiceProvider; answer: { data: PlatformServiceProvider } }
  /** Get a platform provider */
  'GET /v1/admin/platform-service-providers/{id}': { params: { id: string }; answer: { data: PlatformServiceProvider } }
  /** Update a platform provider */
  'PATCH /v1/admin/platform-service-providers/{id}': { params: { id: string }; body: PlatformServiceProviderChanges; versioned: true; answer: { data: PlatformServiceProvider } }
  /** Test a platform provider */
  'POST /v1/admin/platform-service-providers/{id}/test': { params: { id: string }; answer: { data: ConnectionTest } }
  /** List the mails of an organization */
  'GET /v1/organizations/{id}/mails': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; sent_at_after?: string | undefined; sent_at_before?: string | undefined; status?: string | undefined; kind?: string | undefined; template?: string | undefined }; answer: { data: Mail[]; pagination: Pagination } }
  /** Send a mail again */
  'POST /v1/organizations/{id}/mails/{mailId}/resend': { params: { id: string; mailId: string }; answer: { data: Mail } }
  /** Show the page of an unsubscribe link */
  'GET /v1/public/unsubscribe/{token}': { params: { token: string }; answer: Blob }
  /** Withdraw the consent to marketing mail */
  'POST /v1/public/unsubscribe/{token}': { params: { token: string }; answer: Unsubscribed }
  /** List webhook subscriptions */
  'GET /v1/webhook-subscriptions': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; is_active?: string | undefined }; answer: { data: WebhookSubscription[]; pagination: Pagination } }
  /** Create a webhook subscription */
  'POST /v1/webhook-subscriptions': { body: NewWebhookSubscription; answer: { data: WebhookSubscriptionWithSecret } }
  /** Get a webhook subscription */
  'GET /v1/webhook-subscriptions/{uid}': { params: { uid: string }; answer: { data: WebhookSubscription } }
  /** Update a webhook subscription */
  'PATCH /v1/webhook-subscriptions/{uid}': { params: { uid: string }; body: WebhookSubscriptionChanges; versioned: true; answer: { data: WebhookSubscription } }
  /** Delete a webhook subscription */
  'DELETE /v1/webhook-subscriptions/{uid}': { params: { uid: string }; versioned: true; answer: undefined }
  /** Replace the signing secret of a webhook subscription */
  'POST /v1/webhook-subscriptions/{uid}/rotate-secret': { params: { uid: string }; answer: { data: WebhookSubscriptionWithSecret } }
  /** List the events that webhooks can receive */
  'GET /v1/webhook-events': { answer: { data: WebhookCatalogue } }
  /** List the deliveries of a webhook subscription */
  'GET /v1/webhook-subscriptions/{uid}/events': { params: { uid: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; delivered_at_after?: string | undefined; delivered_at_before?: string | undefined; status?: string | undefined; event?: string | undefined }; answer: { data: WebhookDelivery[]; pagination: Pagination } }
  /** Get a delivery of a webhook subscription */
  'GET /v1/webhook-subscriptions/{uid}/events/{deliveryId}': { params: { uid: string; deliveryId: string }; answer: { data: WebhookDelivery } }
  /** Get statistics of a webhook subscription */
  'GET /v1/webhook-subscriptions/{uid}/stats': { params: { uid: string }; answer: { data: WebhookStats } }
  /** Send a webhook.test event */
  'POST /v1/webhook-subscriptions/{uid}/test': { params: { uid: string }; answer: { data: WebhookDelivery } }
  /** Send a delivery again */
  'POST /v1/webhook-subscriptions/{uid}/events/{deliveryId}/replay': { params: { uid: string; deliveryId: string }; answer: { data: WebhookDelivery } }
  /** Send missed events of a period again */
  'POST /v1/webhook-subscriptions/{uid}/recover': { params: { uid: string }; body: WebhookRecovery; answer: { data: WebhookRecovered } }
  /** List automation rules */
  'GET /v1/automation-rules': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; is_active?: string | undefined; q?: string | undefined }; answer: { data: AutomationRule[]; pagination: Pagination } }
  /** Create an automation rule */
  'POST /v1/automation-rules': { body: NewAutomationRule; answer: { data: AutomationRule } }
  /** Get an automation rule */
  'GET /v1/automation-rules/{id}': { params: { id: string }; answer: { data: AutomationRule } }
  /** Update an automation rule */
  'PATCH /v1/automation-rules/{id}': { params: { id: string }; body: AutomationRuleChanges; versioned: true; answer: { data: AutomationRule } }
  /** Delete an automation rule */
  'DELETE /v1/automation-rules/{id}': { params: { id: string }; versioned: true; answer: undefined }
  /** List the versions of an automation rule */
  'GET /v1/automation-rules/{id}/versions': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined }; answer: { data: AutomationRuleVersion[]; pagination: Pagination } }
  /** Simulate an automation rule over past events */
  'POST /v1/automation-rules/{id}/simulate': { params: { id: string }; body: AutomationSimulation; answer: { data: SimulatedEvent[] } }
  /** List automation executions */
  'GET /v1/automation-executions': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; status?: string | undefined; skip_reason?: string | undefined; rule_id?: string | undefined }; answer: { data: AutomationExecution[]; pagination: Pagination } }
  /** Get an automation execution */
  'GET /v1/automation-executions/{id}': { params: { id: string }; answer: { data: AutomationExecution } }
  /** Run an automation execution again */
  'POST /v1/automation-executions/{id}/retry': { params: { id: string }; body: ExecutionRetry; answer: { data: AutomationExecution } }
  /** Cancel an automation execution */
  'POST /v1/automation-executions/{id}/cancel': { params: { id: string }; answer: { data: AutomationExecution } }
  /** Retry the executions of a rule that the quota skipped */
  'POST /v1/automation-rules/{id}/executions/retry': { params: { id: string }; body: ExecutionBulkRetry; answer: { data: RetriedExecutions } }
  /** Cancel the executions of a rule that have not ended */
  'POST /v1/automation-rules/{id}/executions/cancel': { params: { id: string }; answer: { data: CanceledExecutions } }
  /** List your consents */
  'GET /v1/me/consents': { tagged: true; answer: MyConsentStates }
  /** Give consent */
  'POST /v1/me/consents': { body: MyGrants; answer: Consents }
  /** Withdraw one of your consents */
  'POST /v1/me/consents/{id}/withdraw': { params: { id: string }; body?: Withdrawal | undefined; answer: { data: Consent } }
  /** Get a signed receipt of one of your consents */
  'GET /v1/me/consents/{id}/receipt': { params: { id: string }; answer: { data: SignedConsentReceipt } }
  /** Verify a consent receipt */
  'POST /v1/public/consent-receipts/verify': { body: SignedConsentReceipt; answer: { data: ReceiptVerdict } }
  /** List the consents of a patient */
  'GET /v1/organizations/{org_id}/patients/{patient_id}/consents': { params: { org_id: string; patient_id: string }; answer: ConsentStates }
  /** Record consents of a patient */
  'POST /v1/organizations/{org_id}/patients/{patient_id}/consents/grant': { params: { org_id: string; patient_id: string }; body: StaffGrants; answer: Consents }
  /** Withdraw a consent of a patient */
  'POST /v1/organizations/{org_id}/patients/{patient_id}/consents/{id}/withdraw': { params: { org_id: string; patient_id: string; id: string }; body?: Withdrawal | undefined; answer: { data: Consent } }
  /** Leave a clinic */
  'POST /v1/me/organizations/{id}/leave': { params: { id: string }; body: LeaveClinic; answer: { data: LeftClinic } }
  /** Erase your account */
  'POST /v1/me/erase': { body: EraseAccount; answer: { data: ErasedAccount } }
  /** List consent purposes */
  'GET /v1/consent-purposes': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; scope?: string | undefined; legal_basis?: string | undefined; withdrawable?: string | undefined }; answer: { data: ConsentPurpose[]; pagination: Pagination } }
  /** List the versions of a consent purpose */
  'GET /v1/consent-purposes/{code}/versions': { params: { code: "platform_terms" | "platform_privacy_notice" | "org_terms" | "org_privacy_notice" | "marketing_email" | "marketing_sms" | "analytics" | "ai_processing" | "telemedicine" | "video_recording" | "biometric_capture" | "telerehab" }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; published_at_after?: string | undefined; published_at_before?: string | undefined }; answer: { data: ConsentPurposeVersion[]; pagination: Pagination } }
  /** Publish a version of a consent purpose */
  'POST /v1/consent-purposes/{code}/versions': { params: { code: "platform_terms" | "platform_privacy_notice" | "org_terms" | "org_privacy_notice" | "marketing_email" | "marketing_sms" | "analytics" | "ai_processing" | "telemedicine" | "video_recording" | "biometric_capture" | "telerehab" }; body: NewConsentPurposeVersion; answer: { data: ConsentPurposeVersion } }
  /** Get the published privacy notice of a clinic */
  'GET /v1/public/organizations/{slug}/privacy-notice': { params: { slug: string }; answer: { data: PublicPrivacyNotice } }
  /** Get the privacy notice */
  'GET /v1/organizations/{id}/privacy-notice': { params: { id: string }; answer: { data: PrivacyNotice } }
  /** Update the draft of the privacy notice */
  'PUT /v1/organizations/{id}/privacy-notice': { params: { id: string }; body: PrivacyNoticeDraft; versioned: true; answer: { data: PrivacyNotice } }
  /** Preview the privacy notice */
  'POST /v1/organizations/{id}/privacy-notice/preview': { params: { id: string }; body?: PrivacyNoticePreviewRequest | undefined; answer: { data: PrivacyNoticePreview } }
  /** Publish the privacy notice */
  'POST /v1/organizations/{id}/privacy-notice/publish': { params: { id: string }; body?: PrivacyNoticePublication | undefined; versioned: true; answer: { data: PrivacyNotice } }
  /** List the versions of the privacy notice template */
  'GET /v1/privacy-notice-templates': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; published_at_after?: string | undefined; published_at_before?: string | undefined }; answer: { data: PrivacyNoticeTemplate[]; pagination: Pagination } }
  /** Get a version of the privacy notice template */
  'GET /v1/privacy-notice-templates/{version}': { params: { version: number }; answer: { data: PrivacyNoticeTemplate } }
  /** Publish a version of the privacy notice template */
  'POST /v1/admin/privacy-notice-templates': { body: NewPrivacyNoticeTemplate; answer: { data: PrivacyNoticeTemplate } }
  /** List your access log */
  'GET /v1/me/access-log': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; occurred_at_after?: string | undefined; occurred_at_before?: string | undefined; organization_id?: string | undefined }; answer: { data: AccessLogEntry[]; pagination: Pagination } }
  /** Export the data of a patient */
  'POST /v1/gdpr/export': { body: NewExport; answer: { data: AcceptedPrivacyRequest } }
  /** Erase a patient */
  'POST /v1/gdpr/erase': { body: NewErasure; answer: { data: AcceptedPrivacyRequest } }
  /** Restrict the processing of a patient’s data */
  'POST /v1/gdpr/restrict': { body: Restriction; answer: { data: RestrictedPatient } }
  /** List privacy requests */
  'GET /v1/gdpr/requests': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; completed_at_after?: string | undefined; completed_at_before?: string | undefined; kind?: string | undefined; status?: string | undefined; patient_id?: string | undefined }; answer: { data: PrivacyRequest[]; pagination: Pagination } }
  /** Get the status and result of a privacy request */
  'GET /v1/gdpr/requests/{id}': { params: { id: string }; answer: { data: PrivacyRequestDetails } }
  /** Cancel a privacy request */
  'POST /v1/gdpr/requests/{id}/cancel': { params: { id: string }; answer: { data: PrivacyRequest } }
  /** Export your data */
  'POST /v1/me/export': { answer: { data: MyExport } }
  /** List the exports you requested */
  'GET /v1/me/exports': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined }; tagged: true; answer: { data: MyExport[]; pagination: Pagination } }
  /** Get the status of your export and its file */
  'GET /v1/me/exports/{id}': { params: { id: string }; answer: { data: MyExportDetails } }
  /** Start break-glass access */
  'POST /v1/admin/break-glass': { body: NewBreakGlassGrant; answer: { data: BreakGlassGrant } }
  /** List break-glass access */
  'GET /v1/admin/break-glass': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; status?: string | undefined; patient_id?: string | undefined; principal_id?: string | undefined; organization_id?: string | undefined }; answer: { data: BreakGlassGrant[]; pagination: Pagination } }
  /** End break-glass access */
  'DELETE /v1/admin/break-glass/{id}': { params: { id: string }; answer: undefined }
  /** List break-glass access to an organization */
  'GET /v1/organizations/{id}/break-glass': { params: { id: string }; query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; status?: string | undefined; patient_id?: string | undefined; principal_id?: string | undefined }; answer: { data: BreakGlassGrant[]; pagination: Pagination } }
  /** List audit log entries */
  'GET /v1/audit-logs': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; occurred_at_after?: string | undefined; occurred_at_before?: string | undefined; action?: string | undefined; crud?: string | undefined; outcome?: string | undefined; actor_type?: string | undefined; actor_principal_id?: string | undefined; target_type?: string | undefined; target_id?: string | undefined; patient_profile_id?: string | undefined; on_behalf_of?: string | undefined }; answer: { data: AuditLogEntry[]; pagination: Pagination } }
  /** Export the audit log */
  'GET /v1/audit-logs/export': { query?: { occurred_at_after?: string | undefined; occurred_at_before?: string | undefined; action?: string | undefined; crud?: string | undefined; outcome?: string | undefined; actor_type?: string | undefined; actor_principal_id?: string | undefined; target_type?: string | undefined; target_id?: string | undefined; patient_profile_id?: string | undefined; on_behalf_of?: string | undefined }; answer: Blob }
  /** Get an audit log entry */
  'GET /v1/audit-logs/{id}': { params: { id: string }; answer: { data: AuditLogEntry } }
  /** Send a message to an inbound webhook */
  'POST /v1/public/inbound/{token}': { params: { token: string }; body: Blob | ArrayBuffer | ArrayBufferView; answer: { data: InboundReceipt } }
}

export interface ComposerRoutes {
  /** Get the health of the service */
  'GET /health': { answer: ComposerHealth }
  /** Get readiness */
  'GET /health/ready': { answer: ComposerReadiness }
  /** Get the OpenAPI document */
  'GET /v1/openapi.json': { answer: ApiDocument }
  /** Compose a video of an exercise */
  'POST /v1/exercises/compose': { body: NewComposition; answer: { data: Composed } }
  /** Preview a composition */
  'POST /v1/exercises/compose/preview': { body: NewComposition; answer: { data: CompositionPreview } }
  /** List renders */
  'GET /v1/renders': { query?: { page?: number | undefined; limit?: number | undefined; sort?: string | undefined; created_at_after?: string | undefined; created_at_before?: string | undefined; status?: string | undefined; exercise?: string | undefined }; answer: { data: Render[]; pagination: Pagination } }
  /** Get a render */
  'GET /v1/renders/{id}': { params: { id: string }; answer: { data: Render } }
  /** Stream the progress of a render */
  'GET /v1/renders/{id}/events': { params: { id: string }; answer: Blob }
  /** Cancel a render */
  'POST /v1/renders/{id}/cancel': { params: { id: string }; answer: { data: Render } }
  /** Play a render */
  'GET /v1/public/renders/{id}/playlist.m3u8': { params: { id: string }; answer: Blob }
  /** Get the bundle of an exercise */
  'GET /v1/exercises/{slug}/bundle': { params: { slug: string }; answer: { data: Bundle } }
  /** Save the manifest of a bundle */
  'PUT /v1/exercises/{slug}/bundle': { params: { slug: string }; body: CompositionManifest; answer: { data: Bundle } }
  /** Delete a file of a bundle */
  'DELETE /v1/exercises/{slug}/bundle/files/{path}': { params: { slug: string; path: string }; answer: undefined }
  /** Upload a file of a bundle */
  'PUT /v1/exercises/{slug}/bundle/files/{path}': { params: { slug: string; path: string }; body: Blob | ArrayBuffer | ArrayBufferView; answer: { data: Bundle } }
  /** Receive a webhook from the video host */
  'POST /webhooks/videohost': { query?: { token?: string | string[] | undefined }; body: VideoHostWebhook; answer: WebhookReceipt }
}

export interface TelemetryRoutes {
  /** Send a batch of pose frames */
  'POST /v1/pose/frames': { query?: { meta?: string | undefined }; body: Blob | ArrayBuffer | ArrayBufferView; answer: FramesAccepted }
  /** Send a player event */
  'POST /v1/media/events': { body: MediaEvent; answer: MediaAccepted }
  /** Send a view of a library item */
  'POST /v1/library/views': { body: LibraryView; answer: MediaAccepted }
  /** Get liveness */
  'GET /v1/healthz': { answer: TelemetryHealth }
  /** Get readiness */
  'GET /v1/readyz': { answer: TelemetryReadiness }
  /** Get the OpenAPI document */
  'GET /v1/openapi.json': { answer: Record<string, unknown> }
}
