import { Button, Stack, Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { appName } from '../app.ts'
import { Page } from './page.tsx'

export function NotFoundPage() {
  const t = useTranslations('ui.notFound')
  return (
    <Page title={t('title')}>
      <Text>{t('text')}</Text>
      <Button component="a" href={`/${appName()}/`} w="fit-content">
        {t('action')}
      </Button>
    </Page>
  )
}

export function CrashPage({ error }: ErrorComponentProps) {
  const t = useTranslations('ui')
  return (
    <Stack p="md" role="alert">
      <Title order={1} tabIndex={-1}>
        {t('crash.title')}
      </Title>
      <Text>{t('crash.text')}</Text>
      {import.meta.env.DEV && <pre>{error instanceof Error ? error.stack : String(error)}</pre>}
      <Button onClick={() => location.reload()} w="fit-content">
        {t('action.reload')}
      </Button>
    </Stack>
  )
}
