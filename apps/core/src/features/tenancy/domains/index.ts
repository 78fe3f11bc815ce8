import { readDomain } from './rules.ts'

export { createOwnHostCheck, type OwnHostCheck } from './own-hosts.ts'

/** The spelling under which a domain is stored, or undefined for what can be no domain. */
export function normaliseDomain(text: string): string | undefined {
  const read = readDomain(text)
  return 'domain' in read ? read.domain : undefined
}
