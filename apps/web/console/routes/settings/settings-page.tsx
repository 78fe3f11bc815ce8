import { useTranslations } from 'use-intl'
import { RecordPage } from '#ui/record/record-page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

/** What an admin sets for the whole clinic. */
export function SettingsPage() {
  const t = useTranslations('console.settings')
  const { slug } = useClinic()
  const may = useMay()
  const at = `/${slug}/settings`
  return (
    <RecordPage
      title={t('title')}
      documentTitle={t('title')}
      tabs={[
        { to: at, label: t('tabs.general'), exact: true },
        ...(may('services.view_org') ? [{ to: `${at}/services`, label: t('tabs.services') }] : []),
        ...(may('calendars.view_org') ? [{ to: `${at}/hours`, label: t('tabs.hours') }] : []),
        ...(may('exercises.manage_org') ? [{ to: `${at}/exercises`, label: t('tabs.exercises') }] : []),
      ]}
    />
  )
}
