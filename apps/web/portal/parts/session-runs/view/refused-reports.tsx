import { Alert, Button, List, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/List.layer.css'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { IconAlertCircle } from '#ui/icons/index.ts'
import type { Entry, Outbox } from '../run/outbox.ts'

interface RefusedReportsProps {
  outbox: Outbox
  isShown: (entry: Entry) => boolean
}

/** Names the reports that will not reach the clinic, until the patient has read it. */
export function RefusedReports({ outbox, isShown }: RefusedReportsProps) {
  const t = useTranslations('portal.run.unsent')
  const refused = useRefused(outbox).filter(isShown)
  if (refused.length === 0) return null
  const exercises = refused.filter(({ kind }) => kind === 'exercise')
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertCircle />}>
      <Stack gap="xs" align="flex-start">
        <Text fw={700}>{t('refused')}</Text>
        <Text>{t('refusedText')}</Text>
        <List>
          {refused.map(
            (entry) =>
              entry.kind === 'pain' && (
                <List.Item key={entry.id}>{t('pain', { severity: entry.body.severity })}</List.Item>
              ),
          )}
          {exercises.length > 0 && <List.Item>{t('exercises', { count: exercises.length })}</List.Item>}
          {refused.some(({ kind }) => kind === 'end') && <List.Item>{t('end')}</List.Item>}
          {refused.some(({ kind }) => kind === 'feedback') && <List.Item>{t('feedback')}</List.Item>}
        </List>
        <Button variant="default" size="md" onClick={() => void outbox.dismiss(refused)}>
          {t('read')}
        </Button>
      </Stack>
    </Alert>
  )
}

export const useWaiting = (outbox: Outbox): number => useSyncExternalStore(outbox.subscribe, outbox.waiting)
export const useRefused = (outbox: Outbox): readonly Entry[] => useSyncExternalStore(outbox.subscribe, outbox.refused)
