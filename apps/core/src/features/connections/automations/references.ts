import { systemContext } from '@tendon/access'
import type { RuleProblem, StoredAutomationRule } from '@tendon/contracts'
import type { Database, TenantTx } from '@tendon/db'
import { listUsableTemplates } from '../../records/form-templates/index.ts'
import { listSubscriptionStates } from '../webhooks/index.ts'
import { listKnownPermissions } from './queries.ts'
import { type Known, referenceProblems, referencesIn } from './reference-rules.ts'

type Actions = StoredAutomationRule['actions']

/** The transaction must see the clinic's webhooks and form templates, and its members to know which permissions they hold. */
async function readKnown(tx: TenantTx, actions: Actions): Promise<Known> {
  const { templates, subscriptions, permissions } = referencesIn(actions)
  return {
    templates: new Set(templates.length === 0 ? [] : await listUsableTemplates(tx, templates)),
    subscriptions: subscriptions.length === 0 ? new Map() : await listSubscriptionStates(tx, subscriptions),
    permissions: permissions.length === 0 ? new Map() : await listKnownPermissions(tx, permissions),
  }
}

export const findReferenceProblems = async (tx: TenantTx, actions: Actions): Promise<RuleProblem[]> =>
  referenceProblems(actions, await readKnown(tx, actions))

/**
 * Finds the problems of the references of each of these rules. Reads as the system: a reader of rules who may not see webhooks, form
 * templates or members would otherwise read that they do not exist.
 */
export async function problemFinder(
  db: Database,
  organizationId: string | null,
  rules: readonly Pick<StoredAutomationRule, 'actions'>[],
): Promise<(rule: Pick<StoredAutomationRule, 'actions'>) => RuleProblem[]> {
  const actions = rules.flatMap((rule) => rule.actions)
  const known = await db.tenant(systemContext(organizationId), (tx) => readKnown(tx, actions))
  return (rule) => referenceProblems(rule.actions, known)
}
