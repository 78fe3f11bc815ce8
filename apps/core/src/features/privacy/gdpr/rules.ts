import { createHash } from 'node:crypto'
import type { ErasureCertificate } from '@tendon/contracts'

/** The replacement of a last name: distinguishes two erased records, without personal data. */
export const pseudonymOf = (patientId: string): string => patientId.replaceAll('-', '').slice(-8).toUpperCase()

export interface Account {
  /** Verified. */
  email: string | null
  /** At this clinic, not erased. */
  has_other_record: boolean
}

/** Mails and bookings with the address of an account may be of its other record at the clinic. */
export const ownAddress = ({ email, has_other_record }: Account): string | null => (has_other_record ? null : email)

export function certify(facts: Omit<ErasureCertificate, 'hash'>): ErasureCertificate {
  return { ...facts, hash: createHash('sha256').update(canonicalJson(facts)).digest('hex') }
}

/** Whether a certificate is as it was written. */
export function isGenuine({ hash, ...facts }: ErasureCertificate): boolean {
  return certify(facts).hash === hash
}

/** The same value gives the same text, in whatever order its keys were written or stored. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
      : held,
  )
}

/** Where the attempts of one export are written; everything about one patient is in one folder. */
export const patientFolder = (organizationId: string, patientId: string): string =>
  `privacy-exports/${organizationId}/${patientId}/`
export const requestFolder = (organizationId: string, patientId: string, requestId: string): string =>
  `${patientFolder(organizationId, patientId)}${requestId}/`
