import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import classes from './privacy-notice.module.css'

/** The privacy notice that the clinic has published, in the reader's language if available. */
export function PrivacyNotice({ slug, onClose }: { slug: string; onClose: () => void }) {
  const t = useTranslations('portal.public')
  const { language } = useLanguage()
  const notice = useRead('GET /v1/public/organizations/{slug}/privacy-notice', { params: { slug } })
  return (
    <Dialog open title={t('privacy')} onClose={onClose} size="md">
      <Loaded query={notice}>
        {({ data }) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard
          <Text component="section" className={classes.text} tabIndex={0} aria-label={t('privacy')}>
            {data.body_translations[language] ?? data.body}
          </Text>
        )}
      </Loaded>
    </Dialog>
  )
}
