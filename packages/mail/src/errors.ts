import { OutboundError, type OutboundFailure } from '@tendon/outbound'

/** Why a mail was not taken. Only the name is kept: answers of mail servers quote addresses and texts. */
export type MailFailure =
  | OutboundFailure
  | 'authentication'
  | 'rejected'
  | 'recipient_refused'
  | 'unavailable'
  | 'no_provider'
  | 'integration_error'
  | 'unknown_template'

export class MailError extends Error {
  readonly failure: MailFailure
  /** The same mail would be refused again: it is not tried any more. */
  readonly permanent: boolean

  constructor(failure: MailFailure, { permanent = false, ...options }: ErrorOptions & { permanent?: boolean } = {}) {
    super(failure, options)
    this.name = 'MailError'
    this.failure = failure
    this.permanent = permanent
  }
}

interface SmtpFailure {
  code?: unknown
  responseCode?: unknown
  command?: unknown
}

const NAMES: Record<string, MailFailure> = {
  ETIMEDOUT: 'timeout',
  ECONNECTION: 'connection_lost',
  ESOCKET: 'connection_lost',
  ECONNREFUSED: 'refused',
  EDNS: 'dns',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EAUTH: 'authentication',
  ENOAUTH: 'authentication',
}

/** Gives an error of nodemailer its name. */
export function smtpError(error: unknown): MailError {
  if (error instanceof MailError) return error
  if (error instanceof OutboundError) return new MailError(error.failure, { cause: error })
  const { code, responseCode, command } = (error ?? {}) as SmtpFailure
  const cause = error
  if (code === 'EENVELOPE' && typeof responseCode === 'number') {
    return new MailError('recipient_refused', { cause, permanent: responseCode >= 500 && command === 'RCPT TO' })
  }
  const socketCode = (error as { cause?: SmtpFailure } | null)?.cause?.code
  const message = error instanceof Error ? error.message : ''
  const named = [code, socketCode].map((one) => (typeof one === 'string' ? NAMES[one] : undefined))
  if (/ECONNREFUSED/.test(message)) return new MailError('refused', { cause })
  if (/certificate|altnames|SSL|TLS/i.test(message)) return new MailError('tls', { cause })
  const failure = named.find((one) => one !== undefined)
  if (failure !== undefined) return new MailError(failure, { cause })
  const refused = typeof responseCode === 'number' && responseCode >= 500
  return new MailError(refused ? 'rejected' : 'unavailable', { cause, permanent: refused })
}
