import { Button, Group, Text } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog.tsx'
import { Problem, useCountdown } from './problem.tsx'

export interface ConfirmProps {
  open: boolean
  title: string
  text: ReactNode
  /** What the button says: the verb, such as "Delete". */
  action: string
  /** What the other button says. Default: "Cancel", which is no word beside "Cancel the visit". */
  keep?: string
  danger?: boolean
  pending?: boolean
  error?: ApiError | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ open, title, text, action, keep, danger, pending, error, onConfirm, onClose }: ConfirmProps) {
  const t = useTranslations('ui.action')
  const wait = useCountdown(error)
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <Text component="div">{text}</Text>
      <Problem error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {keep ?? t('cancel')}
        </Button>
        <Button
          {...(danger ? { color: 'red.9' } : {})}
          loading={pending ?? false}
          disabled={wait > 0}
          onClick={onConfirm}
        >
          {wait > 0 ? `${action} (${wait})` : action}
        </Button>
      </Group>
    </Dialog>
  )
}
