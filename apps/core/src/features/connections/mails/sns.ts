import { createVerify, X509Certificate } from 'node:crypto'
import { isObject, type SnsNotification } from '@tendon/contracts'
import type { Outbound } from '@tendon/outbound'

// Amazon SNS signs its notifications with a certificate that it serves itself. A certificate from any other host proves
// nothing: anybody can sign with their own.

const SNS_HOST = /^sns\.[a-z0-9-]{1,30}\.amazonaws\.com$/
const MAX_CERTIFICATE_BYTES = 20_000
const ALGORITHMS: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' }

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

/** True for an https URL at Amazon SNS. */
export function isSnsUrl(text: string | undefined): text is string {
  const url = text === undefined ? null : URL.parse(text)
  return url?.protocol === 'https:' && SNS_HOST.test(url.hostname) && url.username === '' && url.password === ''
}

/** Amazon SNS serves its certificates as `/SimpleNotificationService-….pem`; its other URLs answer with what callers sent. */
const isCertificateUrl = (text: string | undefined): boolean =>
  isSnsUrl(text) && /^\/[\w-]+\.pem$/.test(new URL(text).pathname) && new URL(text).search === ''

/** Whether the notification was signed by Amazon SNS. */
export async function isSignedBySns(outbound: Outbound, notification: SnsNotification): Promise<boolean> {
  const algorithm = ALGORITHMS[notification.SignatureVersion]
  const fields = SIGNED[notification.Type as keyof typeof SIGNED]
  if (algorithm === undefined || fields === undefined || !isCertificateUrl(notification.SigningCertURL)) return false
  const { status, body } = await outbound.request(notification.SigningCertURL, { maxBytes: MAX_CERTIFICATE_BYTES })
  if (status !== 200) return false
  try {
    const { publicKey } = new X509Certificate(body)
    const text = fields
      .flatMap((field) => (notification[field] === undefined ? [] : [field, notification[field]]))
      .map((part) => `${part}\n`)
      .join('')
    return createVerify(algorithm).update(text).verify(publicKey, notification.Signature, 'base64')
  } catch {
    return false
  }
}

interface DeadAddress {
  address: string
  reason: 'bounce' | 'complaint'
}

/** The addresses that a message of SES reports: permanent bounces and complaints. */
export function deadAddressesOf(message: string): DeadAddress[] {
  const read = parsed(message)
  if (!isObject(read)) return []
  const kind = read.notificationType ?? read.eventType
  if (kind === 'Bounce' && isObject(read.bounce) && read.bounce.bounceType === 'Permanent')
    return addressesIn(read.bounce.bouncedRecipients, 'bounce')
  if (kind === 'Complaint' && isObject(read.complaint))
    return addressesIn(read.complaint.complainedRecipients, 'complaint')
  return []
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

function addressesIn(recipients: unknown, reason: DeadAddress['reason']): DeadAddress[] {
  if (!Array.isArray(recipients)) return []
  return recipients.flatMap((one: unknown) =>
    isObject(one) && typeof one.emailAddress === 'string' ? [{ address: one.emailAddress, reason }] : [],
  )
}
