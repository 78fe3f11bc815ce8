import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core'
import type { ApiError, PrivacyNotice, Routes } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'

type Preview = Routes['POST /v1/organizations/{id}/privacy-notice/preview']['answer']['data']

interface PublishDialogProps {
  notice: PrivacyNotice
  preview: Preview | undefined
  pending: boolean
  error: ApiError | null
  onConfirm: () => void
  onClose: () => void
}

/** The text that is about to be published, and what publishing asks of patients. */
export function PublishDialog({ notice, preview, pending, error, onConfirm, onClose }: PublishDialogProps) {
  const t = useTranslations('console.notice.confirm')
  const tUi = useTranslations('ui.action')
  const { language: locale } = useLanguage()
  if (!preview) return null
  const { published_version: version, assembled_body: published } = notice
  const texts = Object.entries(preview.assembled_body).toSorted(([one]) => (one === locale ? -1 : 1))
  const isSame = texts.every(([language, text]) => published?.[language] === text)
  return (
    <Dialog open size="md" title={t('title')} onClose={onClose}>
      <Text>{version === null ? t('first') : t('again', { version })}</Text>
      {preview.patients_to_ask !== null && <Text>{t('asked', { count: preview.patients_to_ask })}</Text>}
      {version !== null && isSame && (
        <Alert color="orange" variant="outline">
          {t('same', { version })}
        </Alert>
      )}
      {texts.map(([language, text]) => (
        <Paper key={language} withBorder p="md" component="section" lang={language}>
          <Title order={3} size="h4" mb="xs" lang={locale}>
            {t('text', { language })}
          </Title>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
        </Paper>
      ))}
      <Problem error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {tUi('cancel')}
        </Button>
        <Button loading={pending} onClick={onConfirm}>
          {t('action')}
        </Button>
      </Group>
    </Dialog>
  )
}
