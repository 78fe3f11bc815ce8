import { useTranslations } from 'use-intl'
import { RecordPage } from '#ui/record/record-page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMayOpen } from '#ui/session/needs.tsx'

/** What an admin sets for the whole clinic. */
export function SettingsPage() {
  const t = useTranslations('console.settings')
  const { slug } = useClinic()
  const mayOpen = useMayOpen()
  const at = `/${slug}/settings`
  return (
    <RecordPage
      title={t('title')}
      documentTitle={t('title')}
      tabs={[
        { to: at, label: t('tabs.general'), exact: true },
        ...(mayOpen('/$clinic/settings/services') ? [{ to: `${at}/services`, label: t('tabs.services') }] : []),
        ...(mayOpen('/$clinic/settings/hours') ? [{ to: `${at}/hours`, label: t('tabs.hours') }] : []),
        ...(mayOpen('/$clinic/settings/exercises') ? [{ to: `${at}/exercises`, label: t('tabs.exercises') }] : []),
      ]}
    />
  )
}
