import { MailError, sesTransport } from '@tendon/mail'
import { OutboundError } from '@tendon/outbound'
import { failureName } from '../../../platform/failure-name.ts'
import { KNOWN_ENDPOINTS } from '../../../platform/oauth-endpoints.ts'
import type { PlatformProvider } from '../../../platform/platform-providers.ts'
import type { Services } from '../../../services.ts'
import { sesSettings } from './ses-settings.ts'

const CHECK_TIMEOUT_MS = 5_000

/** Asks a provider whether it works: the name of what is wrong, or null. At most five seconds. */
export async function checkProvider(
  services: Services,
  capability: string,
  provider: PlatformProvider,
): Promise<string | null> {
  const timer = Promise.withResolvers<string>()
  const timeout = setTimeout(() => timer.resolve('timeout'), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([ask(services, capability, provider).then(() => null), timer.promise])
  } catch (error) {
    if (error instanceof MailError || error instanceof OutboundError) return error.failure
    return failureName(error)
  } finally {
    clearTimeout(timeout)
  }
}

async function ask(services: Services, capability: string, provider: PlatformProvider): Promise<void> {
  const { objects, outbound, config } = services
  if (capability === 'email') {
    const transport = sesTransport(outbound, sesSettings(provider))
    try {
      return await transport.check()
    } finally {
      await transport.close()
    }
  }
  if (capability === 'storage') return void (await objects.head('health-check'))
  const known = KNOWN_ENDPOINTS[capability.replace(/^oauth_client_/, '')]?.token_endpoint
  const url = capability === 'auth' ? config.jwksUrl : (provider.config.token_endpoint ?? known)
  // The issuer is a setting of ours and may be inside our own network; a provider's URL may not.
  const answer =
    capability === 'auth'
      ? await fetch(config.jwksUrl, { redirect: 'error' })
      : typeof url === 'string'
        ? await outbound.request(url)
        : undefined
  if (answer && answer.status >= 500) throw new MailError('unavailable')
}
