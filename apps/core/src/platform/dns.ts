import { Resolver } from 'node:dns/promises'

/** The DNS, as far as custom domains need it. */
export interface DnsResolver {
  /** The TXT records of a name; none when the name does not exist. Throws when DNS itself does not answer. */
  txtRecords(name: string): Promise<string[]>
}

const TIMEOUT_MS = 3_000
const MAX_ATTEMPTS = 2
const NO_RECORDS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

export function createDnsResolver(
  servers: readonly string[],
  { timeoutMs = TIMEOUT_MS, tries = MAX_ATTEMPTS }: { timeoutMs?: number; tries?: number } = {},
): DnsResolver {
  const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async txtRecords(name) {
      try {
        return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''))
      } catch (error) {
        if (error instanceof Error && 'code' in error && NO_RECORDS.has(error.code)) return []
        throw error
      }
    },
  }
}
