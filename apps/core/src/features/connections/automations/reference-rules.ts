import type { AutomationAction, RuleProblem } from '@tendon/contracts'

/** What the actions of rules name. */
interface References {
  templates: string[]
  subscriptions: string[]
  permissions: string[]
}

/** What of it exists. */
export interface Known {
  templates: ReadonlySet<string>
  /** With whether it is active. */
  subscriptions: ReadonlyMap<string, boolean>
  /** With whether a member holds it. */
  permissions: ReadonlyMap<string, boolean>
}

type Actions = readonly AutomationAction[]

export function referencesIn(actions: Actions): References {
  const named = (field: 'form_template_id' | 'subscription_uid' | 'permission') =>
    [...new Set(actions.map(({ params }) => params[field]))].filter((value) => value !== undefined)
  return {
    templates: named('form_template_id'),
    subscriptions: named('subscription_uid'),
    permissions: named('permission'),
  }
}

const MESSAGES: Readonly<Record<RuleProblem['code'], string>> = {
  subscription_not_found:
    'subscription_uid must name a webhook subscription of your organization (GET /v1/webhook-subscriptions)',
  subscription_inactive: 'subscription_uid names a webhook subscription that is inactive: activate it or name another',
  form_template_not_usable:
    'form_template_id must name a published template that is not archived (GET /v1/form-templates/picker)',
  permission_not_found: 'permission must name a permission (GET /v1/organizations/{id}/permissions)',
  permission_not_held:
    'permission names a permission that no member holds: grant it to a role of a member or name another',
}

export function referenceProblems(actions: Actions, known: Known): RuleProblem[] {
  return actions.flatMap(({ params }, index) => {
    const code = problemOf(params, known)
    return code === undefined ? [] : [{ field: `actions.${index}.params`, code, message: MESSAGES[code] }]
  })
}

function problemOf(params: AutomationAction['params'], known: Known): RuleProblem['code'] | undefined {
  const { form_template_id, subscription_uid, permission } = params
  if (form_template_id !== undefined && !known.templates.has(form_template_id)) return 'form_template_not_usable'
  if (permission !== undefined) {
    const isHeld = known.permissions.get(permission)
    if (isHeld !== true) return isHeld === undefined ? 'permission_not_found' : 'permission_not_held'
  }
  if (subscription_uid === undefined) return undefined
  const isActive = known.subscriptions.get(subscription_uid)
  if (isActive === undefined) return 'subscription_not_found'
  return isActive ? undefined : 'subscription_inactive'
}
