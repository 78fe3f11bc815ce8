import { type Caller, holds } from '@tendon/access'
import type { AttentionKind } from '@tendon/contracts'
import {
  brokenIntegrations,
  failedMails,
  failingDomains,
  failingWebhooks,
  outdatedNotice,
  reachedLimits,
} from './clinic-queries.ts'
import type { FactSource } from './fact-queries.ts'
import {
  dueRequests,
  endingPlans,
  formsToSign,
  incompleteForms,
  incompleteRuns,
  painfulFeedback,
  painReports,
  quietPatients,
} from './patient-queries.ts'
import { freedSlots, openVisits, unlinkedBookings, visitsToConfirm } from './visit-queries.ts'

interface Source {
  kind: AttentionKind
  facts: FactSource
  /** The permissions of its list. */
  all?: readonly string[]
  /** One of these is enough. */
  any?: readonly string[]
  /** A key names the id of a row, by which the facts can be read. */
  byId?: true
  /** Reads what the caller may know, but not see. */
  asService?: true
}

const RUNS = ['session_runs.view_org', 'patients.view_org']
const PLANS = ['treatment_plans.view_org', 'patients.view_org']
const FORMS = ['forms.view_org', 'patients.view_org']
const VISITS = ['appointments.view_org']

const SOURCES: readonly Source[] = [
  { kind: 'pain', facts: painReports, all: RUNS, byId: true },
  { kind: 'pain', facts: painfulFeedback, all: RUNS, byId: true },
  { kind: 'not_exercising', facts: quietPatients, all: PLANS, byId: true, asService: true },
  { kind: 'to_sign', facts: formsToSign, all: FORMS, byId: true },
  { kind: 'to_confirm', facts: visitsToConfirm, all: VISITS, byId: true },
  { kind: 'unlinked', facts: unlinkedBookings, all: VISITS, byId: true },
  { kind: 'slot_freed', facts: freedSlots, all: VISITS, byId: true },
  { kind: 'not_closed', facts: openVisits, all: VISITS, byId: true },
  { kind: 'plan_ends', facts: endingPlans, all: PLANS, byId: true },
  { kind: 'incomplete', facts: incompleteRuns, all: RUNS, byId: true },
  { kind: 'incomplete', facts: incompleteForms, all: [...FORMS, ...VISITS], byId: true },
  {
    kind: 'integration_broken',
    facts: brokenIntegrations,
    all: ['organizations.manage_integrations'],
    byId: true,
  },
  { kind: 'webhook_failing', facts: failingWebhooks, all: ['webhooks.view_org'], byId: true },
  { kind: 'mails_failed', facts: failedMails, all: ['mails.view_org'] },
  { kind: 'notice_outdated', facts: outdatedNotice, all: ['organizations.manage_privacy_notice'] },
  { kind: 'domain_failing', facts: failingDomains, all: ['organizations.manage_domains'], byId: true },
  { kind: 'request_due', facts: dueRequests, any: ['gdpr.export_data', 'gdpr.erase_data'], byId: true },
  { kind: 'limit_reached', facts: reachedLimits },
]

/** What the caller may read. */
export const sourcesOf = (caller: Caller): Source[] =>
  SOURCES.filter(
    ({ all = [], any }) =>
      all.every((code) => holds(caller, code)) && (any === undefined || any.some((code) => holds(caller, code))),
  )
