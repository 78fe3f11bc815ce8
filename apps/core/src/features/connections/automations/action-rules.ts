import {
  ACTION_PARAMS,
  type AutomationAction,
  type AutomationDefinition,
  isFilledIn,
  misplaced,
} from '@tendon/contracts'

// Checks the actions of a rule and fills in their texts. Placeholders are a fixed list, so that no text can contain form
// answers, medical conditions or custom fields.

const PLACEHOLDERS = [
  'patient.first_name',
  'patient.last_name',
  'clinic.name',
  'appointment.starts_at',
  'portal.url',
] as const
/** With the spaces around the name: to leave them out here would take time that grows with the cube of their number. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

export function problemOfAction({ type, params }: AutomationAction): string | undefined {
  const { missing, unused } = misplaced(ACTION_PARAMS[type], params)
  if (unused.length > 0) return `must not contain ${unused.join(', ')}`
  if (missing.length > 0) return `must contain ${missing.join(', ')}`
  if (type === 'wait' && (params.minutes === undefined) === (params.before_appointment_minutes === undefined))
    return 'must contain either minutes or before_appointment_minutes'
  if (type === 'send_mail') {
    if (params.text === '') return 'must contain a text'
    if ((params.to === 'members') !== (params.permission !== undefined))
      return 'must contain permission when to is members, and only then'
    if (params.to === 'members' && params.kind === 'marketing') return 'must have the kind care when to is members'
  }
  const unknown = placeholdersIn(`${params.subject ?? ''} ${params.text ?? ''}`).filter((name) => !isPlaceholder(name))
  if (unknown.length > 0) return `must not contain {{${unknown[0]}}}: allowed are ${PLACEHOLDERS.join(', ')}`
  return undefined
}

const isPlaceholder = (name: string) => (PLACEHOLDERS as readonly string[]).includes(name)
const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())

/** A text with its placeholders filled in; one without a value that says something becomes empty. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (_whole, inner: string) => {
    const name = inner.trim()
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
    return isFilledIn(value) ? value : ''
  })

const CODES: Readonly<Record<AutomationAction['type'], readonly string[]>> = {
  send_mail: ['mails.manage'],
  notify_members: ['mails.manage'],
  create_form: ['forms.create'],
  send_webhook: ['webhooks.manage'],
  wait: [],
}

/** The permission for data that conditions and texts read. */
const READS: readonly (readonly [prefix: string, code: string])[] = [
  ['patient.', 'patients.view_org'],
  ['appointment.', 'appointments.view_org'],
]

/** The permissions that a rule needs: it must neither do nor read what its author may not. */
export function codesOf({ actions, conditions }: Pick<AutomationDefinition, 'actions' | 'conditions'>): string[] {
  const texts = actions.map(({ params }) => `${params.subject ?? ''} ${params.text ?? ''}`)
  const paths = [...conditions.rules.map(({ path }) => path), ...placeholdersIn(texts.join(' '))]
  const read = READS.filter(([prefix]) => paths.some((path) => path.startsWith(prefix)))
  return [...new Set([...actions.flatMap(({ type }) => CODES[type]), ...read.map(([, code]) => code)])]
}
