import { type MailKind, mailTemplate } from '@tendon/mail'
import { fillIn } from './rules.ts'

interface Message extends Record<string, unknown> {
  subject: string
  text: string
  values: Record<string, string>
  starts_at: string | null
}

const message = (name: string, kind: MailKind) => {
  const write = (
    { subject, text, values, starts_at }: Message,
    { portalUrl, formatTime }: { portalUrl: string; formatTime(iso: string): string },
  ) => {
    const all = {
      ...values,
      'portal.url': portalUrl,
      'appointment.starts_at': starts_at === null ? '' : formatTime(starts_at),
    }
    return { subject: fillIn(subject, all).replace(/\s+/g, ' '), body: fillIn(text, all).split(/\n{2,}/) }
  }
  return mailTemplate<Message>({ name, kind, en: write, ro: write })
}

export const automationCare = message('automation_care', 'care')
export const automationMarketing = message('automation_marketing', 'marketing')

export const automationNotice = mailTemplate<{ rule_name: string; text: string }>({
  name: 'automation_notice',
  kind: 'account',
  en: ({ rule_name, text }, { consoleUrl }) => ({
    subject: `Automation: ${rule_name}`,
    body: ['Hello,', ...(text === '' ? [] : [text]), { label: 'Open the console', url: consoleUrl }],
  }),
  ro: ({ rule_name, text }, { consoleUrl }) => ({
    subject: `Automatizare: ${rule_name}`,
    body: ['Bună ziua,', ...(text === '' ? [] : [text]), { label: 'Deschideți consola', url: consoleUrl }],
  }),
})
