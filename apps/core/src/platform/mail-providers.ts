import type { ComposedMail } from '@tendon/mail'

/** The mail provider of an organization, ready to use. */
export interface MailProvider {
  /** `smtp`, `ses` or `development`. */
  name: string
  from_address: string
  /** Every failure is a MailError. */
  send(mail: ComposedMail): Promise<{ providerMessageId: string | null }>
}

/** An integration as it was when the mail was taken; its version changes with its config and credentials. */
export interface OwnMailProvider {
  id: string
  version: number
  status: string
}

export interface MailProviders {
  /** `own`: the organization's integration that sends mail. Without one the platform's provider, or the default. */
  of(organizationId: string | null, own: OwnMailProvider | null): Promise<MailProvider>
  close(): Promise<void>
}
