import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'

export const MAIL_STATUSES = ['queued', 'sending', 'sent', 'failed', 'suppressed'] as const
export const MAIL_KINDS = ['care', 'account', 'marketing'] as const

export const Mail = Type.Object({
  id: Id,
  template: Type.String({ description: 'The object that the mail is about.', examples: ['member_invited'] }),
  kind: Enum(MAIL_KINDS, 'account'),
  language: Type.String({ examples: ['en'] }),
  status: Enum(MAIL_STATUSES, 'sent'),
  to_masked: Type.String({ description: 'The masked e-mail address.', examples: ['a…@mail.example'] }),
  attempts: Type.Integer({ examples: [1] }),
  provider: Nullable(Type.String({ description: 'The sender.', examples: ['smtp'] })),
  last_error: Nullable(
    Type.String({ description: 'Why the last attempt failed, or why it is not sent.', examples: ['timeout'] }),
  ),
  created_at: Timestamp,
  sent_at: Nullable(Timestamp),
  next_attempt_at: Timestamp,
})
export type Mail = Static<typeof Mail>

export const MailParams = Type.Object({ id: Id, mailId: Id })

export const mailList = {
  sort: ['created_at', 'sent_at'],
  ranges: ['created_at', 'sent_at'],
  filters: { status: MAIL_STATUSES, kind: MAIL_KINDS, template: 'text' },
} as const

export const UnsubscribeParams = Type.Object({
  token: Type.String({ maxLength: 200, examples: ['0190a1b2-0000-7000-8000-000000000001.c2lnbmF0dXJl'] }),
})

/** The answer of the one-click POST of RFC 8058. */
export const Unsubscribed = Type.Object({ unsubscribed: Type.Boolean({ examples: [true] }) })

/** A notification of Amazon SNS, as it signs them. */
export const SnsNotification = Type.Object(
  {
    Type: Type.String({ maxLength: 100, examples: ['Notification'] }),
    MessageId: Type.String({ maxLength: 200 }),
    TopicArn: Type.String({ maxLength: 300, examples: ['arn:aws:sns:eu-central-1:123456789012:mail'] }),
    Message: Type.String({ description: 'JSON, as a text.', examples: ['{"notificationType":"Bounce"}'] }),
    Timestamp: Type.String({ maxLength: 100 }),
    SignatureVersion: Type.String({ maxLength: 10, examples: ['2'] }),
    Signature: Type.String({ maxLength: 2_000 }),
    SigningCertURL: Type.String({ maxLength: 500 }),
    Subject: Type.Optional(Type.String({ maxLength: 300 })),
    SubscribeURL: Type.Optional(Type.String({ maxLength: 1_000 })),
    Token: Type.Optional(Type.String({ maxLength: 1_000 })),
    UnsubscribeURL: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  { additionalProperties: true },
)
export type SnsNotification = Static<typeof SnsNotification>
