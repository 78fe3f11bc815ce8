export { MailError, type MailFailure } from './errors.ts'
export { type ComposedMail, composeMail, type MailEnvelope } from './message.ts'
export { type RenderedMail, renderMail } from './render.ts'
export { type SesSettings, sesTransport } from './ses.ts'
export { type SmtpSettings, smtpTransport } from './smtp.ts'
export {
  type AnyMailTemplate,
  type MailAttachment,
  type MailBlock,
  type MailCalendar,
  type MailContent,
  type MailContext,
  type MailKind,
  type MailLanguage,
  type MailTemplate,
  mailTemplate,
  signInUrl,
} from './template.ts'
export type { MailTransport } from './transport.ts'
