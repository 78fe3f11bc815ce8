import { resolveLanguage } from '@tendon/access'
import { composeMail, MailError, renderMail } from '@tendon/mail'
import { blindIndex } from '@tendon/secrets'
import { failureName } from '../../../platform/failure-name.ts'
import type { Services } from '../../../services.ts'
import { obstacleOf } from '../../scheduling/reminders/index.ts'
import type { LeasedMail, Outcome, StoredContent } from './queries.ts'
import { nextAttemptAt, suppressionOf } from './rules.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

type Config = Services['config']

/** The fingerprint under which an address is suppressed, the same for every clinic. */
export const addressIndex = ({ BLIND_INDEX_KEY }: Config, address: string) =>
  blindIndex(
    BLIND_INDEX_KEY,
    { table: 'mail_suppressions', column: 'address_index', organization_id: '' },
    address.normalize().trim().toLowerCase(),
  )

/** One attempt to send one mail. Runs outside any transaction, and never throws: what happened is its outcome. */
export async function attemptMail(
  services: Services,
  mail: LeasedMail,
  listed: string | undefined,
): Promise<Outcome & { cause?: unknown }> {
  const obstacle = mail.is_reminder ? obstacleOf(mail.visit, services.now()) : undefined
  const of = { id: mail.id, attempt: mail.attempts, ...(obstacle ? { obstacle } : {}) }
  const suppressed = suppressionOf(mail, listed, obstacle !== undefined)
  if (suppressed !== undefined) return { ...of, status: 'suppressed', error: suppressed, at: services.now() }
  let provider: string | undefined
  try {
    const found = await services.mailProviders.of(mail.organization_id, ownProviderOf(mail))
    provider = found.name
    const composed = await compose(services, mail, found.from_address)
    const { providerMessageId } = await found.send(composed)
    return { ...of, status: 'sent', provider, providerMessageId, at: services.now() }
  } catch (error) {
    const now = services.now()
    const again = error instanceof MailError && error.permanent ? undefined : nextAttemptAt(mail.attempts, now)
    return {
      ...of,
      status: again ? 'queued' : 'failed',
      ...(provider === undefined ? {} : { provider }),
      error: error instanceof MailError ? error.failure : failureName(error),
      at: again ?? now,
      cause: error,
    }
  }
}

function ownProviderOf({ integration_id, integration_version, integration_status }: LeasedMail) {
  if (integration_id === null || integration_version === null || integration_status === null) return null
  return { id: integration_id, version: integration_version, status: integration_status }
}

export async function compose(services: Services, mail: StoredContent, fromAddress: string) {
  const { config } = services
  const unsubscribe = mail.kind === 'marketing' ? { unsubscribeUrl: unsubscribeUrl(config, mail.id) } : {}
  return composeMail(
    {
      id: mail.id,
      from: { name: mail.organization_name ?? 'Tendon', address: fromAddress },
      to: mail.to_address,
      ...(mail.contact_email === null ? {} : { replyTo: mail.contact_email }),
      date: new Date(mail.created_at),
      ...unsubscribe,
    },
    render(services, mail, fromAddress, unsubscribe),
  )
}

export function render(
  services: Services,
  mail: StoredContent,
  fromAddress: string,
  unsubscribe: { unsubscribeUrl?: string } = {},
) {
  const { config, mailTemplates } = services
  const template = mailTemplates.get(mail.template)
  if (!template) throw new MailError('unknown_template', { permanent: true })
  return renderMail(template, mail.data, {
    language: resolveLanguage(mail.language, null),
    timeZone: mail.time_zone ?? 'UTC',
    context: {
      organizationName: mail.organization_name,
      toAddress: mail.to_address,
      fromAddress,
      sentAt: services.now(),
      consoleUrl: appUrl(config, 'console', mail),
      portalUrl: appUrl(config, 'portal', mail),
      publicUrl: config.publicUrl,
    },
    ...brandingOf(config, mail),
    ...unsubscribe,
  })
}

/** The clinic's page of an app, on the app's own host if it has one. */
const appUrl = ({ WEB_HOSTS, publicUrl }: Config, app: 'console' | 'portal', { organization_slug }: StoredContent) =>
  `${WEB_HOSTS[app] === undefined ? publicUrl : `https://${WEB_HOSTS[app]}`}/${app}/${organization_slug ?? ''}`

const brandingOf = ({ publicUrl }: Config, { branding }: StoredContent) =>
  branding
    ? {
        branding: {
          color: branding.brand_color,
          logoUrl: branding.logo_id === null ? null : `${publicUrl}/v1/public/images/${branding.logo_id}`,
        },
      }
    : {}
