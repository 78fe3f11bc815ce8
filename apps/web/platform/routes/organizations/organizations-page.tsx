import { useTranslations } from 'use-intl'
import { Page } from '../../../ui/frame/page.tsx'

export function OrganizationsPage() {
  const t = useTranslations('platform.organizations')
  return <Page title={t('title')}>{null}</Page>
}
