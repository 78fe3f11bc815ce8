import type { Service } from '@tendon/sdk'
import { useLanguage } from '../i18n/i18n.tsx'

type NamedService = Pick<Service, 'name' | 'translations'>

/** The name of a service in the language of the page, if the clinic has translated it. */
export function useServiceName(): (service: NamedService | null | undefined) => string | undefined {
  const { language } = useLanguage()
  return (service) => service?.translations[language]?.name ?? service?.name
}
