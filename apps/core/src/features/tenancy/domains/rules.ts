import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

// Validation of custom domains, and evaluation of their DNS records.

const CHALLENGE_LABEL = '_tendon-challenge'
const VALUE_PREFIX = 'tendon-verify='
/** A DNS name has at most 253 characters, and the name of the TXT record is the domain with a label in front. */
export const MAX_DOMAIN_CHARACTERS = 253 - CHALLENGE_LABEL.length - 1

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
export const DOMAIN_PATTERN = new RegExp(`^(?:${LABEL}\\.)+(?:xn--[a-z0-9-]{0,58}[a-z0-9]|[a-z]{2,63})$`)

/** Names that the public DNS never holds (RFC 6761, 6762, 7686, 8375, 9476; ICANN for .internal). */
const RESERVED_SUFFIXES = ['localhost', 'local', 'internal', 'test', 'invalid', 'onion', 'arpa', 'alt', 'localdomain']

type DomainInput = { domain: string } | { problem: string }

/** The one spelling of a domain (lower case, Punycode, no final dot), or why it cannot be one. */
export function readDomain(text: string): DomainInput {
  const given = text.trim().toLowerCase()
  const problem = problemOfSpelling(given)
  if (problem) return { problem }
  const domain = domainToASCII(given).replace(/\.$/, '')
  const [top = '', ...others] = domain.split('.').reverse()
  if (/^(\d+|0x[0-9a-f]*)$/.test(top)) return { problem: IP_ADDRESS }
  if (domain.length > MAX_DOMAIN_CHARACTERS) {
    return { problem: `must not be longer than ${MAX_DOMAIN_CHARACTERS} characters` }
  }
  if (RESERVED_SUFFIXES.includes(top)) return { problem: `must be a public domain; .${top} is not in the public DNS` }
  if (domain !== '' && others.length === 0) return { problem: 'must have at least two parts, such as clinic.example' }
  if (!DOMAIN_PATTERN.test(domain)) return { problem: NOT_A_DOMAIN }
  return { domain }
}

const IP_ADDRESS = 'must be a domain name, not an IP address'
const NOT_A_DOMAIN =
  'must be a domain name such as clinic.example: parts of 1 to 63 letters, digits and inner hyphens, joined by dots'

/** What `domainToASCII` would silently cut off or decode: it reads its input as the start of an address. */
function problemOfSpelling(given: string): string | undefined {
  if (given === '') return 'must not be blank'
  if (isIP(given.replace(/^\[(.*)\]$/, '$1'))) return IP_ADDRESS
  if (given.includes('://')) return 'must be the domain only, without https://'
  if (given.startsWith('*.')) return 'must name one domain; a wildcard (*.) cannot be verified'
  if (/[/\\?#]/.test(given)) return 'must be the domain only, without a path'
  if (/:\d*$/.test(given)) return 'must be the domain only, without a port'
  if (/[^a-z0-9.\-\x80-\u{10ffff}]/u.test(given)) return NOT_A_DOMAIN
  return undefined
}

interface Challenged {
  domain: string
  challenge: string
}

export function txtRecordOf({ domain, challenge }: Challenged) {
  return { name: `${CHALLENGE_LABEL}.${domain}`, type: 'TXT' as const, value: `${VALUE_PREFIX}${challenge}` }
}

/** The row as the API shows it: the challenge as the record to publish. */
export function withTxtRecord<Row extends Challenged>(row: Row) {
  const { challenge: _, ...rest } = row
  return { ...rest, txt_record: txtRecordOf(row) }
}

const MAX_SHOWN_RECORDS = 3
const MAX_SHOWN_CHARACTERS = 100

/** null when the record is published; else what was found and what to do. */
export function problemOfRecords(expected: Challenged, found: readonly string[]): string | null {
  const { name, value } = txtRecordOf(expected)
  if (found.some((record) => unquoted(record) === value)) return null
  const shown = found.slice(0, MAX_SHOWN_RECORDS).map((record) => `"${printable(record)}"`)
  const more = found.length > MAX_SHOWN_RECORDS ? ` and ${found.length - MAX_SHOWN_RECORDS} more` : ''
  const seen =
    found.length === 0
      ? `There is no TXT record named ${name}.`
      : `The TXT record named ${name} has another value: ${shown.join(', ')}${more}.`
  return `${seen} Publish a TXT record named ${name} with the value ${value}, then verify again. DNS changes can take an hour to be seen.`
}

/** Some control panels store the quotes that their users copy along. */
const unquoted = (record: string): string => record.trim().replace(/^"(.*)"$/, '$1')

const printable = (record: string): string =>
  record.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN_CHARACTERS) +
  (record.length > MAX_SHOWN_CHARACTERS ? '…' : '')

export interface CheckedState {
  status: 'verified' | 'failed'
  verified_at: string | null
  last_checked_at: string
  /** Only of a verified domain. */
  record_missing_since: string | null
}

const DAY_MS = 86_400_000
export const RECHECK_AFTER_MS = DAY_MS
/** A mistake in the DNS must not lock a clinic out at once. */
const GRACE_MS = 7 * DAY_MS

/** A verified domain whose record is gone stays verified for seven days. */
export function stateAfterCheck(
  before: Pick<CheckedState, 'verified_at' | 'record_missing_since'>,
  problem: string | null,
  now: Date,
): CheckedState {
  const last_checked_at = now.toISOString()
  if (problem === null) {
    const verified_at = before.verified_at ?? last_checked_at
    return { status: 'verified', verified_at, last_checked_at, record_missing_since: null }
  }
  const since = before.record_missing_since ?? last_checked_at
  if (before.verified_at === null || now.getTime() >= stopsAt(since).getTime()) {
    return { status: 'failed', verified_at: null, last_checked_at, record_missing_since: null }
  }
  return { status: 'verified', verified_at: before.verified_at, last_checked_at, record_missing_since: since }
}

/** When a domain stops resolving if its record stays missing. */
export const stopsAt = (missingSince: string): Date => new Date(Date.parse(missingSince) + GRACE_MS)
