import { validationFailed } from '@tendon/http'
import { type Outbound, OutboundError } from '@tendon/outbound'
import type { OwnHostCheck } from '../../tenancy/domains/index.ts'
import { EVENT_NAMES } from './webhook-events.ts'

const REASONS = {
  unparsable: 'must be a URL',
  too_long: 'must have at most 2,048 characters',
  not_https: 'must begin with https://',
  credentials: 'must not contain a user name or password',
}

/**
 * Refuses URLs that can never be delivered to, and URLs of the platform: an event that returns to an inbound webhook would
 * start its rule again for ever. A host that does not resolve yet is accepted.
 */
export async function refuseBadTarget(
  { outbound, isOwnHost }: { outbound: Outbound; isOwnHost: OwnHostCheck },
  organizationId: string | null,
  { url, events }: { url?: string; events?: readonly string[] },
): Promise<void> {
  const fields: Record<string, string> = {}
  const unknown = events?.filter((event) => !EVENT_NAMES.has(event)) ?? []
  if (unknown.length > 0) fields.events = `contains unknown events: ${unknown.join(', ')} (see GET /v1/webhook-events)`
  if (url !== undefined) {
    const parsed = URL.parse(url)
    const isOurs = parsed !== null && (await isOwnHost(organizationId, parsed))
    const reason = isOurs ? 'must not be a URL of this platform' : await problemOf(outbound, url)
    if (reason !== undefined) fields.url = reason
  }
  if (Object.keys(fields).length > 0) throw validationFailed({ fields })
}

async function problemOf(outbound: Outbound, url: string): Promise<string | undefined> {
  const problem = outbound.urlProblem(url)
  if (problem) return REASONS[problem]
  try {
    await outbound.addressesOf(new URL(url).hostname)
  } catch (error) {
    if (error instanceof OutboundError && error.failure === 'address_refused') return 'must be a public address'
  }
  return undefined
}
