import { Button, Group, Stack, Text } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import type { FormEvent, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog.tsx'
import { Problem, useCountdown } from './problem.tsx'

interface ConfirmFormProps {
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

interface ConfirmProps extends ConfirmFormProps {
  open: boolean
  title: string
}

/** Asks before something that cannot be taken back. */
export function Confirm({ open, title, ...props }: ConfirmProps) {
  return (
    <Dialog open={open} title={title} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  )
}

/** What such a dialog contains, where its text has fields: `onConfirm={form.onSubmit(…)}`. */
export function ConfirmForm({ text, action, keep, danger, pending, error, onConfirm, onClose }: ConfirmFormProps) {
  const t = useTranslations('ui.action')
  const wait = useCountdown(error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    onConfirm()
  }
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <Text component="div">{text}</Text>
        <Problem error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep ?? t('cancel')}
          </Button>
          <Button type="submit" {...(danger ? { color: 'red.9' } : {})} loading={pending ?? false} disabled={wait > 0}>
            {wait > 0 ? `${action} (${wait})` : action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
