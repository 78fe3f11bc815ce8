import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import type { MyAppointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { ConfirmForm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { type FormWrite, useApiForm } from '#ui/form/use-api-form.ts'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { CalendarButton } from '../book/calendar-button.tsx'
import { ChangeDeadline } from '../book/change-deadline.tsx'
import { isChangeable, possibleChanges } from '../book/possible-changes.ts'
import { VisitFacts } from '../book/visit-facts.tsx'
import { VisitStatus } from '../book/visit-status.tsx'
import { JoinVisit } from './join-visit.tsx'

/** A future visit, with buttons to move, cancel or join it. */
export function UpcomingVisit({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal')
  const { name, slug } = useClinic()
  const [asking, setAsking] = useState(false)
  const isOpen = isChangeable(visit.status)
  const can = possibleChanges(visit, useNow())
  const mayMove = isOpen && (can === 'both' || can === 'move')
  const mayCancel = isOpen && (can === 'both' || can === 'cancel')
  return (
    <article aria-label={visit.service.name} className="keep-together">
      <VisitFacts visit={visit} status={<VisitStatus status={visit.status} />}>
        {visit.mode === 'video' && isOpen && <JoinVisit visit={visit} />}
        {isOpen && <ChangeDeadline deadlines={visit} slug={slug} location={visit.location} />}
        <Group gap="xs" className="phone-wide">
          <CalendarButton visit={visit} clinic={name} />
          {mayMove && (
            <ButtonLink
              variant="default"
              size="md"
              to="/$clinic/visits/$id/move"
              params={{ clinic: slug, id: visit.id }}
            >
              {t('booking.move')}
            </ButtonLink>
          )}
          {mayCancel && (
            <Button variant="default" size="md" onClick={() => setAsking(true)}>
              {t('booking.cancel')}
            </Button>
          )}
        </Group>
      </VisitFacts>
      {asking && <CancelVisit visit={visit} onClose={() => setAsking(false)} />}
    </article>
  )
}

function CancelVisit({ visit, onClose }: { visit: MyAppointment; onClose: () => void }) {
  const t = useTranslations('portal')
  const refresh = useRefresh()
  const cancel = useWrite('POST /v1/me/appointments/{id}/cancel', {
    refresh: ['/v1/me/appointments', '/v1/me/today'],
    onDone: () => {
      onClose()
      toast({ text: t('booking.cancelled') })
    },
  })
  const close = () => {
    // After a refusal the visit may be another than the page shows.
    if (cancel.error) void refresh(['/v1/me/appointments'])
    onClose()
  }
  return (
    <Dialog open title={t('booking.cancelTitle')} onClose={close}>
      <GiveReason
        write={cancel}
        onCancel={(body) => cancel.mutate({ params: { id: visit.id }, body })}
        onClose={close}
      />
    </Dialog>
  )
}

interface GiveReasonProps {
  write: FormWrite<'POST /v1/me/appointments/{id}/cancel'>
  onCancel: (body: { reason?: string | null }) => void
  onClose: () => void
}

function GiveReason({ write, onCancel, onClose }: GiveReasonProps) {
  const t = useTranslations('portal')
  const form = useApiForm(write, { reason: '' })
  return (
    <ConfirmForm
      text={
        <Stack>
          <Text>{t('booking.cancelText')}</Text>
          <Textarea
            {...form.text('reason')}
            label={t('visits.cancelReason')}
            size="md"
            autosize
            minRows={2}
            maxLength={500}
          />
        </Stack>
      }
      action={t('booking.cancel')}
      keep={t('booking.keepVisit')}
      danger
      pending={write.isPending}
      error={form.problem}
      onConfirm={form.onSubmit(onCancel)}
      onClose={onClose}
    />
  )
}
