// A template says what a mail contains, in each language, as plain text blocks. Text and HTML are made from the same
// blocks, and every value is escaped on the way. Mails name no diagnosis and no finding: mailboxes are shared.

export type MailLanguage = 'en' | 'ro'

/** `care` and `account` are always sent; `marketing` only with the patient's consent at the time of sending. */
export type MailKind = 'care' | 'account' | 'marketing'

/** A paragraph, a link shown as a button, or rows of label and value. */
export type MailBlock =
  | string
  | { label: string; url: string }
  | { rows: readonly (readonly [label: string, value: string])[] }

export interface MailAttachment {
  filename: string
  /** Such as `text/calendar; charset=utf-8; method=REQUEST`. */
  contentType: string
  content: string | Uint8Array
}

/** An iCalendar file that calendars read from the mail itself (RFC 6047), beside the text and the HTML. */
export interface MailCalendar {
  method: 'REQUEST' | 'CANCEL'
  content: string
}

export interface MailContent {
  subject: string
  body: readonly MailBlock[]
  calendar?: MailCalendar
  attachments?: readonly MailAttachment[]
}

/** What every mail may refer to besides its own data. */
export interface MailContext {
  /** Null for mails of the platform. */
  organizationName: string | null
  toAddress: string
  fromAddress: string
  /** When the mail is sent. */
  sentAt: Date
  /** The clinic's page for staff. */
  consoleUrl: string
  /** The clinic's page for patients. */
  portalUrl: string
  publicUrl: string
  /** A moment in the mail's language and the clinic's time zone, or in another zone, which is then named. */
  formatTime(iso: string, timeZone?: string): string
}

type Write<Data> = (data: Data, context: MailContext) => MailContent

export interface MailTemplate<Data extends Record<string, unknown>> {
  /** Unique over all features; kept in mail_outbox.template. */
  name: string
  kind: MailKind
  en: Write<Data>
  ro: Write<Data>
}

/** Any template: the data of a row has the shape that its own template asked for when the row was written. */
// biome-ignore lint/suspicious/noExplicitAny: templates of all shapes of data stand in one table
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyMailTemplate = MailTemplate<any>

/**
 * A page that opens in the mail's language and fills in the address at the sign-in. Both are in the fragment, because a browser
 * sends it to no server and in no referrer.
 */
export const signInUrl = (url: string, email: string, language: MailLanguage): string =>
  `${url}#${new URLSearchParams({ email, language }).toString()}`

export const mailTemplate = <Data extends Record<string, unknown>>(template: MailTemplate<Data>) => template
