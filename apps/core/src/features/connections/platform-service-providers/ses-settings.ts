import type { SesSettings } from '@tendon/mail'
import type { PlatformProvider } from '../../../platform/platform-providers.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function sesSettings({ config, credentials }: PlatformProvider): SesSettings {
  const [endpointUrl, configurationSet] = [textOf(config.endpoint_url), textOf(config.configuration_set)]
  return {
    region: textOf(config.region),
    accessKeyId: textOf(credentials.access_key_id),
    secretAccessKey: textOf(credentials.secret_access_key),
    ...(endpointUrl === '' ? {} : { endpointUrl }),
    ...(configurationSet === '' ? {} : { configurationSet }),
  }
}
