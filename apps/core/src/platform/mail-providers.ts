import type { ComposedMail } from '@tendon/mail'

/** Who sends the mails of an organization, ready to be used. */
export interface MailProvider {
  /** `smtp`, `ses` or `development`. */
  name: string
  from_address: string
  /** Every failure is a MailError. */
  send(mail: ComposedMail): Promise<{ providerMessageId: string | null }>
}

export interface MailProviders {
  /** The organization's own provider, the platform's, or the default; null: a mail of the platform. */
  of(organizationId: string | null): Promise<MailProvider>
  close(): Promise<void>
}
