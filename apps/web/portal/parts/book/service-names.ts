import { useRead } from '#ui/api/hooks.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'

interface NamedService {
  name: string
  /** Today has only the name. */
  id?: string
}

/** Replaces names of services by their translation in the reader's language, if the clinic has one. */
export function useServiceNames(organization: string): <Named extends NamedService>(service: Named) => Named {
  const { language } = useLanguage()
  const services = useRead(
    'GET /v1/public/services',
    { query: { organization } },
    { staleTime: 300_000, enabled: organization !== '' },
  )
  return (service) => {
    const found = services.data?.data.find(({ id, name }) =>
      service.id === undefined ? name === service.name : id === service.id,
    )
    return { ...service, name: found?.translations[language]?.name ?? service.name }
  }
}
