import { type Caller, holds } from '@tendon/access'
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
  { facts: painReports, all: RUNS, byId: true },
  { facts: painfulFeedback, all: RUNS, byId: true },
  { facts: quietPatients, all: PLANS, byId: true, asService: true },
  { facts: formsToSign, all: FORMS, byId: true },
  { facts: visitsToConfirm, all: VISITS, byId: true },
  { facts: unlinkedBookings, all: VISITS, byId: true },
  { facts: freedSlots, all: VISITS, byId: true },
  { facts: openVisits, all: VISITS, byId: true },
  { facts: endingPlans, all: PLANS, byId: true },
  { facts: incompleteRuns, all: RUNS, byId: true },
  { facts: incompleteForms, all: [...FORMS, ...VISITS], byId: true },
  {
    facts: brokenIntegrations,
    all: ['organizations.manage_integrations'],
    byId: true,
  },
  { facts: failingWebhooks, all: ['webhooks.view_org'], byId: true },
  { facts: failedMails, all: ['mails.view_org'] },
  { facts: outdatedNotice, all: ['organizations.manage_privacy_notice'] },
  { facts: failingDomains, all: ['organizations.manage_domains'], byId: true },
  { facts: dueRequests, any: ['gdpr.export_data', 'gdpr.erase_data'], byId: true },
  { facts: reachedLimits },
]

/** What the caller may read. */
export const sourcesOf = (caller: Caller): Source[] =>
  SOURCES.filter(
    ({ all = [], any }) =>
      all.every((code) => holds(caller, code)) && (any === undefined || any.some((code) => holds(caller, code))),
  )
