import { useRead } from '../../../ui/api/hooks.ts'
import { useLanguage } from '../../../ui/i18n/i18n.tsx'

interface NamedService {
  id: string
  name: string
}

/** Replaces names of services by their translation in the reader's language, if the clinic has one. */
export function useServiceNames(organization: string): (service: NamedService) => NamedService {
  const { language } = useLanguage()
  const services = useRead('GET /v1/public/services', { query: { organization } }, { staleTime: 300_000 })
  const names = new Map(services.data?.data.map(({ id, translations }) => [id, translations[language]?.name]))
  return ({ id, name }) => ({ id, name: names.get(id) ?? name })
}
