import type { Config } from '@tendon/config'
import { MailError, type MailTransport, sesTransport, smtpTransport } from '@tendon/mail'
import { LRUCache } from 'lru-cache'
import type { MailProvider, MailProviders, OwnMailProvider } from '../../../platform/mail-providers.ts'
import type { Services } from '../../../services.ts'
import { readConnection, recordUse, smtpSettings } from '../integrations/index.ts'
import { sesSettings } from '../platform-service-providers/index.ts'
import { defaultMailProvider } from './default-provider.ts'

type Needed = Pick<Services, 'outbound' | 'db' | 'box' | 'now' | 'platformProviders'> & { config: Config }

const MAX_OPEN = 200

interface Opened {
  transport: MailTransport
  from_address: string
  /** The last use was refused, so the next success is recorded at the integration. */
  refused?: boolean
}

/** The clinic's own provider, else the platform's, else the default. One that is broken fails: there is no way around it. */
export function createMailProviders(services: Needed): MailProviders {
  const { config, outbound, platformProviders } = services
  const byDefault = defaultMailProvider(config, outbound)
  const opened = new LRUCache<string, Promise<Opened>>({
    max: MAX_OPEN,
    dispose: (one) => void one.then(({ transport }) => transport.close()).catch(() => {}),
  })

  function open(key: string, make: () => Promise<Opened>): Promise<Opened> {
    const known = opened.get(key)
    if (known) return known
    const made = make()
    opened.set(key, made)
    made.catch(() => opened.delete(key))
    return made
  }

  async function ofClinic(organization_id: string, own: OwnMailProvider): Promise<MailProvider> {
    if (own.status !== 'connected') throw new MailError('integration_error', { permanent: true })
    const place = { id: own.id, organization_id }
    const used = await open(`${own.id} ${own.version}`, async () => {
      const connection = await readConnection(services, place)
      if (!connection) throw new MailError('integration_error', { permanent: true })
      const settings = smtpSettings(connection.config, connection.credentials)
      return { transport: smtpTransport(outbound, settings), from_address: String(connection.config.from_address) }
    })
    return {
      name: 'smtp',
      from_address: used.from_address,
      async send(mail) {
        try {
          const sent = await used.transport.send(mail)
          if (used.refused) await recordUse(services, place, undefined)
          used.refused = false
          return sent
        } catch (error) {
          const failure = error instanceof MailError ? error.failure : 'unavailable'
          if (failure === 'authentication') {
            used.refused = true
            await recordUse(services, place, failure)
          }
          throw error
        }
      },
    }
  }

  async function ofPlatform(): Promise<MailProvider | undefined> {
    const row = await platformProviders.of('email')
    if (!row) return undefined
    const { transport, from_address } = await open(`${row.id} ${row.updated_at}`, async () => ({
      transport: sesTransport(outbound, sesSettings(row)),
      from_address: String(row.config.from_address),
    }))
    return { name: 'ses', from_address, send: transport.send }
  }

  return {
    async of(organizationId, own) {
      if (organizationId !== null && own) return ofClinic(organizationId, own)
      return (await ofPlatform()) ?? byDefault
    },
    async close() {
      const all = [...opened.values()]
      opened.clear()
      await Promise.allSettled(all)
      await byDefault.close()
    },
  }
}
