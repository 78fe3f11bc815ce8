import { systemContext } from '@tendon/access'
import { createOwnHosts, type HostAndPort, normaliseHost } from '@tendon/outbound'
import type { Services } from '../../../services.ts'
import { isCustomDomain } from './queries.ts'

export type OwnHostCheck = (organizationId: string | null, place: HostAndPort) => Promise<boolean>

/**
 * Whether a place that somebody entered is the platform itself: a host of its settings, a verified domain of any clinic, or
 * any domain of this clinic. What is sent there could come back endlessly.
 */
export function createOwnHostCheck({ config, db }: Pick<Services, 'config' | 'db'>): OwnHostCheck {
  const { publicUrl, webOrigins, telemetryUrl, composerUrl, issuer } = config
  const isOwn = createOwnHosts([publicUrl, ...webOrigins, telemetryUrl, composerUrl, issuer])
  return async (organizationId, place) => {
    if (isOwn(place)) return true
    const domain = normaliseHost(place.hostname)
    if (domain === undefined) return false
    // Reads as the system: the person who enters a URL may lack the permission to see domains.
    return db.tenant(systemContext(organizationId), (tx) => isCustomDomain(tx, domain), { queries: 1 })
  }
}
