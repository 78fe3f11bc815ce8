import type { ComposedMail } from './message.ts'

/** A way out for mail. Every failure is a MailError. */
export interface MailTransport {
  send(mail: ComposedMail): Promise<{ providerMessageId: string | null }>
  /** Asks the provider whether it would take mail, without sending any. */
  check(): Promise<void>
  close(): Promise<void>
}
