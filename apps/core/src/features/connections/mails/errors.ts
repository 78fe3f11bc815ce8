import { refusal } from '@tendon/http'

export const mailNotFound = refusal(
  404,
  'mail_not_found',
  'Your organization has no mail with this id. List its mails to see them.',
)
export const mailNotResendable = refusal(
  409,
  'mail_not_resendable',
  'This mail was sent, is being sent, or its content was cleared. Send a new one instead.',
)
export const mailSuppressed = refusal(
  409,
  'mail_suppressed',
  'Mail to this person is not sent: the mailbox refused it, the consent is missing, or processing is restricted.',
)
export const providerFailure = refusal(
  502,
  'provider_failure',
  'The mail provider rejected the message. Test the connection of your organization and try again.',
)
export const unsubscribeLinkInvalid = refusal(
  404,
  'unsubscribe_link_invalid',
  'This link is not valid. Open the newest message and use its link.',
)
export const notificationRefused = refusal(
  403,
  'notification_refused',
  'The notification is not signed by the mail provider, or comes from a topic that is not ours.',
)
