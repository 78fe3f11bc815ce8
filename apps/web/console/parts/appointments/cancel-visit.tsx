import { Stack, Text, Textarea } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { ConfirmForm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { type FormWrite, useApiForm } from '#ui/form/use-api-form.ts'

const MAX_REASON = 500

interface CancelVisitProps {
  open: boolean
  write: FormWrite<'PUT /v1/appointments/{id}/status'>
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

function GiveReason({ write, onCancelVisit, onClose }: Omit<CancelVisitProps, 'open'>) {
  const t = useTranslations('console.record.appointments')
  const form = useApiForm(write, { reason: '' })
  return (
    <ConfirmForm
      danger
      text={
        <Stack>
          <Text>{t('cancelText')}</Text>
          <Textarea
            {...form.text('reason')}
            label={t('reason')}
            description={t('reasonHelp')}
            autosize
            minRows={2}
            maxLength={MAX_REASON}
          />
        </Stack>
      }
      action={t('act.cancelled')}
      keep={t('keep')}
      pending={write.isPending}
      error={form.problem}
      onConfirm={form.onSubmit(({ reason }) => onCancelVisit(reason ?? null))}
      onClose={onClose}
    />
  )
}
