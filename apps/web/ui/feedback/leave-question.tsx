import { Button, Group, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog.tsx'
import { leaveGate } from './leave.ts'

/** Asks before unsaved input is lost. One for the page; `useUnsavedGuard` opens it. */
export function LeaveQuestion() {
  const t = useTranslations('ui.leave')
  const question = useSyncExternalStore(leaveGate.mount, () => leaveGate.reason)
  const stay = () => leaveGate.open(false)
  return (
    <Dialog open={question !== undefined} title={t('title')} onClose={stay}>
      <Text>{question?.text ?? t('text')}</Text>
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={() => leaveGate.open(true)}>
          {t('leave')}
        </Button>
        <Button size="md" onClick={stay} data-autofocus>
          {t('stay')}
        </Button>
      </Group>
    </Dialog>
  )
}
