import type { Mail } from '@tendon/contracts'

/** What can be sent again at once. A mail on its way is nobody else's, also when its worker died: it becomes due again. */
export const RESENDABLE: readonly Mail['status'][] = ['queued', 'failed', 'suppressed']

/** After each failed attempt, until the next: 1, 5 and 30 minutes, 2 and 12 hours. */
const RETRY_AFTER_MINUTES = [1, 5, 30, 120, 720]

/** When a mail whose attempt failed is tried again; undefined: never. */
export function nextAttemptAt(attempts: number, now: Date): Date | undefined {
  const minutes = RETRY_AFTER_MINUTES[attempts - 1]
  return minutes === undefined ? undefined : new Date(now.getTime() + minutes * 60_000)
}

interface MailFacts {
  kind: string
  restricted: boolean
  consented: boolean
}

/** Why a mail is not sent at all; undefined: it is. `isStale`: a reminder of an appointment that was cancelled or moved. */
export function suppressionOf(
  { kind, restricted, consented }: MailFacts,
  listed: string | undefined,
  isStale: boolean,
): string | undefined {
  if (listed !== undefined) return listed
  if (kind !== 'account' && restricted) return 'processing_restricted'
  if (kind === 'marketing' && !consented) return 'consent_missing'
  if (isStale) return 'appointment_changed'
  return undefined
}

/** `ana.ionescu@mail.example` as `a…@mail.example`: enough to recognise, too little to write to. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '…' : `${String.fromCodePoint(address.codePointAt(0) ?? 0)}…${address.slice(at)}`
}
