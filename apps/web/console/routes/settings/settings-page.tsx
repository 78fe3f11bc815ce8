import { useTranslations } from 'use-intl'
import { RecordPage } from '#ui/record/record-page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { usePages } from '../../parts/frame/use-pages.ts'

const FIRST = '/$clinic/settings'

/** What an admin sets for the whole clinic. */
export function SettingsPage() {
  const t = useTranslations('console.settings')
  const { slug } = useClinic()
  const inSettings = usePages().filter(({ path }) => path.startsWith(FIRST))
  return (
    <RecordPage
      title={t('title')}
      documentTitle={t('title')}
      tabs={[
        ...inSettings.filter(({ path }) => path === FIRST),
        ...inSettings.filter(({ path }) => path !== FIRST),
      ].map(({ path, label }) => ({
        to: path.replace('$clinic', slug),
        label: path === FIRST ? t('tabs.general') : label,
        exact: path === FIRST,
      }))}
    />
  )
}
