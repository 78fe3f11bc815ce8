import { type MailKind, mailTemplate } from '@tendon/mail'
import { fillIn } from './action-rules.ts'

interface Message extends Record<string, unknown> {
  subject: string
  text: string
  values: Record<string, string>
  starts_at: string | null
}

interface Links {
  portalUrl: string
  formatTime(iso: string): string
}

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

export const automationNotice = mailTemplate<Message & { rule_name: string }>({
  name: 'automation_notice',
  kind: 'account',
  en: (data, links) => ({
    subject: `Automation: ${data.rule_name}`,
    body: ['Hello,', ...lines(data, links), { label: 'Open the console', url: links.consoleUrl }],
  }),
  ro: (data, links) => ({
    subject: `Automatizare: ${data.rule_name}`,
    body: ['Bună ziua,', ...lines(data, links), { label: 'Deschideți consola', url: links.consoleUrl }],
  }),
})
