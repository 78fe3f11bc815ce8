import { type MailContext, type MailKind, mailTemplate } from '@tendon/mail'
import { consolePage } from '../../../platform/console-pages.ts'
import { fillIn } from './action-rules.ts'
import { MAX_EXECUTIONS_PER_HOUR, MAX_EXECUTIONS_PER_RULE, RESERVED_EXECUTIONS } from './quota-rules.ts'

interface Message extends Record<string, unknown> {
  subject: string
  text: string
  values: Record<string, string>
  starts_at: string | null
}

type Links = Pick<MailContext, 'portalUrl' | 'formatTime'>

const filler = ({ values, starts_at }: Message, { portalUrl, formatTime }: Links) => {
  const all = {
    ...values,
    'portal.url': portalUrl,
    'appointment.starts_at': starts_at === null ? '' : formatTime(starts_at),
  }
  return (text: string) => fillIn(text, all)
}

const message = (name: string, kind: MailKind) => {
  const write = (data: Message, links: Links) => {
    const fill = filler(data, links)
    return { subject: fill(data.subject).replace(/\s+/g, ' '), body: fill(data.text).split(/\n{2,}/) }
  }
  return mailTemplate<Message>({ name, kind, en: write, ro: write })
}

export const automationCare = message('automation_care', 'care')
export const automationMarketing = message('automation_marketing', 'marketing')

const lines = (data: Message, links: Links) => (data.text === '' ? [] : filler(data, links)(data.text).split(/\n{2,}/))

interface Notice extends Message {
  rule_name: string
  /** Undefined in mails that were written by a release before this one. */
  patient_id?: string | null
}

/** The record of the patient whom the event is about, else the rule. */
const noticePage = ({ patient_id }: Notice, context: MailContext) =>
  patient_id ? consolePage(context, 'patient', patient_id) : consolePage(context, 'automations')

export const automationNotice = mailTemplate<Notice>({
  name: 'automation_notice',
  kind: 'account',
  en: (data, context) => ({
    subject: `Automation: ${data.rule_name}`,
    body: ['Hello,', ...lines(data, context), { label: 'Open the console', url: noticePage(data, context) }],
  }),
  ro: (data, context) => ({
    subject: `Automatizare: ${data.rule_name}`,
    body: ['Bună ziua,', ...lines(data, context), { label: 'Deschideți consola', url: noticePage(data, context) }],
  }),
})

const inEnglish = new Intl.NumberFormat('en')
const inRomanian = new Intl.NumberFormat('ro')

export const automationQuota = mailTemplate<{ rule_name: string }>({
  name: 'automation_quota',
  kind: 'account',
  en: ({ rule_name }, context) => ({
    subject: 'Automations were skipped',
    body: [
      'Hello,',
      `The rule “${rule_name}” was not run for an event, because the limit of executions in an hour was reached: ${inEnglish.format(MAX_EXECUTIONS_PER_HOUR)} for your clinic, of which ${inEnglish.format(RESERVED_EXECUTIONS)} are kept for reports of pain, and ${inEnglish.format(MAX_EXECUTIONS_PER_RULE)} for one rule. Other rules may be affected too.`,
      'Every skipped execution is listed with the reason “quota” and can be run again for 90 days, with POST /v1/automation-rules/{id}/executions/retry. If a rule runs more often than you expect, switch it off first.',
      'You get this mail at most once an hour.',
      { label: 'Open the settings', url: consolePage(context, 'automations') },
    ],
  }),
  ro: ({ rule_name }, context) => ({
    subject: 'Unele automatizări au fost omise',
    body: [
      'Bună ziua,',
      `Regula „${rule_name}” nu a fost executată pentru un eveniment, deoarece a fost atinsă limita de execuții pe oră: ${inRomanian.format(MAX_EXECUTIONS_PER_HOUR)} pentru clinica dumneavoastră, dintre care ${inRomanian.format(RESERVED_EXECUTIONS)} sunt rezervate raportărilor de durere, și ${inRomanian.format(MAX_EXECUTIONS_PER_RULE)} pentru o singură regulă. Pot fi afectate și alte reguli.`,
      'Fiecare execuție omisă apare în listă cu motivul „quota” și poate fi reluată timp de 90 de zile, cu POST /v1/automation-rules/{id}/executions/retry. Dacă o regulă se execută mai des decât vă așteptați, dezactivați-o mai întâi.',
      'Primiți acest mesaj cel mult o dată pe oră.',
      { label: 'Deschideți setările', url: consolePage(context, 'automations') },
    ],
  }),
})
