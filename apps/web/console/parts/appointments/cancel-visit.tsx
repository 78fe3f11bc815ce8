import { Button, Group, Text, Textarea } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem, useCountdown } from '#ui/feedback/problem.tsx'

const MAX_REASON = 500

interface CancelVisitProps {
  open: boolean
  pending: boolean
  error: ApiError | null
  onCancelVisit: (reason: string | null) => void
  onClose: () => void
}

/** Asks for the reason before a visit is cancelled. */
export function CancelVisit({ open, ...props }: CancelVisitProps) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={open} title={t('cancelTitle')} onClose={props.onClose}>
      <GiveReason {...props} />
    </Dialog>
  )
}

function GiveReason({ pending, error, onCancelVisit, onClose }: Omit<CancelVisitProps, 'open'>) {
  const t = useTranslations('console.record.appointments')
  const [reason, setReason] = useState('')
  const wait = useCountdown(error)
  return (
    <>
      <Text>{t('cancelText')}</Text>
      <Textarea
        label={t('reason')}
        description={t('reasonHelp')}
        autosize
        minRows={2}
        maxLength={MAX_REASON}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Problem error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('keep')}
        </Button>
        <Button
          color="red.9"
          loading={pending}
          disabled={wait > 0}
          onClick={() => onCancelVisit(reason.trim() === '' ? null : reason.trim())}
        >
          {wait > 0 ? `${t('act.cancelled')} (${wait})` : t('act.cancelled')}
        </Button>
      </Group>
    </>
  )
}
