import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import type { MyAppointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'

const RATINGS = ['1', '2', '3', '4', '5'] as const

/** The patient's review of a completed visit; at most one. */
export function ReviewButton({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal.visits')
  const [open, setOpen] = useState(false)
  if (visit.is_reviewed)
    return (
      <Text c="dimmed" size="sm">
        {t('reviewed')}
      </Text>
    )
  return (
    <>
      <Button variant="default" size="md" mt="sm" onClick={() => setOpen(true)}>
        {t('review')}
      </Button>
      <Dialog open={open} title={t('reviewTitle')} onClose={() => setOpen(false)}>
        <ReviewForm id={visit.id} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function ReviewForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useTranslations('portal.visits')
  const write = useWrite('POST /v1/appointments/{id}/reviews', {
    refresh: ['/v1/me/appointments'],
    onDone: () => {
      onDone()
      toast({ text: t('thanks') })
    },
  })
  const form = useApiForm(write, { rating: '', comment: '' })
  const { rating } = form.values
  return (
    <form noValidate onSubmit={form.onSubmit((body) => write.mutate({ params: { id }, body }))}>
      <Stack>
        <Radio.Group
          name="rating"
          value={String(rating)}
          error={form.error('rating')}
          label={t('rating')}
          required
          onChange={(value) => form.set('rating', Number(value))}
        >
          <Group mt="xs">
            {RATINGS.map((value) => (
              <Radio key={value} value={value} label={value} aria-label={t('stars', { count: Number(value) })} />
            ))}
          </Group>
        </Radio.Group>
        <Textarea {...form.text('comment')} size="md" label={t('comment')} autosize minRows={2} maxLength={2000} />
        <Problem error={form.problem} />
        <SubmitButtons write={write} label={t('send')} size="md" disabled={rating === ''} />
      </Stack>
    </form>
  )
}
