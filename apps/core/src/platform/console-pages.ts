import type { MailContext } from '@tendon/mail'

/**
 * The pages of the console that mails to members open. The domains, webhooks, automations and the audit log have no page of
 * their own yet: their mails open the settings.
 */
export const CONSOLE_PAGES = {
  visits: 'calendar',
  patient: 'patients',
  domains: 'settings',
  webhooks: 'settings',
  automations: 'settings',
  auditLog: 'settings',
} as const

/** The URL of a page at the clinic of the mail, or of one record there. */
export const consolePage = (
  { consoleUrl }: Pick<MailContext, 'consoleUrl'>,
  page: keyof typeof CONSOLE_PAGES,
  id?: string,
): string => [consoleUrl, CONSOLE_PAGES[page], ...(id === undefined ? [] : [encodeURIComponent(id)])].join('/')
