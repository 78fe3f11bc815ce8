import { MailError, sesTransport } from '@tendon/mail'
import { OutboundError } from '@tendon/outbound'
import { failureName } from '../../../platform/failure-name.ts'
import { endpointsOf } from '../../../platform/oauth-endpoints.ts'
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
    return await Promise.race([ask(services, capability, provider), timer.promise])
  } catch (error) {
    if (error instanceof MailError || error instanceof OutboundError) return error.failure
    return problemOfStatus(statusOf(error)) ?? failureName(error)
  } finally {
    clearTimeout(timeout)
  }
}

function ask(services: Services, capability: string, provider: PlatformProvider): Promise<string | null> {
  if (capability === 'email') return askMail(services, provider)
  if (capability === 'storage') return askStore(services)
  if (capability === 'auth') return askIssuer(services)
  return askOauthClient(services, capability.replace(/^oauth_client_/, ''), provider)
}

async function askMail({ outbound }: Services, provider: PlatformProvider): Promise<string | null> {
  const settings = sesSettings(provider)
  if (!settings.region || !settings.accessKeyId || !settings.secretAccessKey) return 'not_configured'
  const transport = sesTransport(outbound, settings)
  try {
    await transport.check()
    return null
  } finally {
    await transport.close()
  }
}

async function askStore({ config, objects }: Services): Promise<string | null> {
  if (config.OBJECT_STORE !== 's3') return 'not_configured'
  await objects.check()
  return null
}

/** The issuer is a setting of ours and may be inside our own network; a provider's URL may not. */
async function askIssuer({ config }: Services): Promise<string | null> {
  const answer = await fetch(config.jwksUrl, { redirect: 'error' })
  if (!answer.ok) return problemOfStatus(answer.status) ?? 'unavailable'
  const { keys } = jsonOf(await answer.text())
  return Array.isArray(keys) ? null : 'unavailable'
}

const REFUSED_CLIENT = ['invalid_client', 'unauthorized_client']

/** Offers a code that nobody issued: a provider that knows the client refuses the code, any other the client. */
async function askOauthClient(
  { outbound }: Services,
  name: string,
  { config, credentials }: PlatformProvider,
): Promise<string | null> {
  const endpoints = endpointsOf(name, config)
  const { client_id, client_secret } = credentials
  if (!endpoints || !client_id || !client_secret) return 'not_configured'
  const answer = await outbound.request(endpoints.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'health-check',
      redirect_uri: new URL('/', endpoints.issuer).href,
      client_id,
      client_secret,
    }).toString(),
  })
  const problem = problemOfStatus(answer.status)
  if (problem !== undefined) return problem
  return REFUSED_CLIENT.includes(String(jsonOf(answer.body.toString()).error)) ? 'authentication' : null
}

/** Undefined for a success, and for a 400, which says what is wrong with the request itself. */
function problemOfStatus(status: number | undefined): string | undefined {
  if (status === 401 || status === 403) return 'authentication'
  return status === undefined || (status >= 200 && status < 300) || status === 400 ? undefined : 'unavailable'
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
