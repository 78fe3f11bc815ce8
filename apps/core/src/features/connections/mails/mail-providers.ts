import type { Config } from '@tendon/config'
import type { Outbound } from '@tendon/outbound'
import type { MailProviders } from '../../../platform/mail-providers.ts'
import { defaultMailProvider } from './default-provider.ts'

export function createMailProviders({ config, outbound }: { config: Config; outbound: Outbound }): MailProviders {
  const byDefault = defaultMailProvider(config, outbound)
  return { of: async () => byDefault, close: byDefault.close }
}
