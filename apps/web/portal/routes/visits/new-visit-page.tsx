import { Stack, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { BackLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { BookingFlow, type Chosen } from '../../parts/book/booking-flow.tsx'
import { HeldSummary } from '../../parts/book/held-time.tsx'
import { GiveConsent } from '../../parts/me/give-consent.tsx'

/** A patient books a visit. Asks only for the time, because the clinic knows the patient. */
export function NewVisitPage() {
  const t = useTranslations('portal.visits')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const isBooked = useRef(false)
  const write = useWrite('POST /v1/me/appointments', {
    refresh: ['/v1/me/appointments', '/v1/me/today'],
    onDone: ({ data }) => {
      isBooked.current = true
      toast({ text: data.status === 'pending' ? t('received') : t('booked') })
      void navigate({ to: '/$clinic/visits', params: { clinic: slug } })
    },
  })
  const form = useApiForm(write, { patient_note: '' }, { isKeptInSteps: true })
  const needsConsent = write.error?.code === 'consent_required'

  const details = (chosen: Chosen) => {
    const book = form.onSubmit((body) => write.mutate({ body: { ...body, hold_id: chosen.held.hold.id } }))
    return (
      <Stack gap="lg">
        <HeldSummary chosen={chosen} key={chosen.held.hold.id} />
        <form noValidate onSubmit={book}>
          <Stack>
            <Textarea
              {...form.text('patient_note')}
              size="md"
              label={t('note')}
              description={t('noteHelp')}
              autosize
              minRows={2}
              maxLength={2000}
            />
            <Problem error={needsConsent ? null : form.problem} />
            <SubmitButtons write={write} label={t('confirm')} size="md" />
          </Stack>
        </form>
        {needsConsent && <GiveConsent purpose="telemedicine" onClose={() => write.reset()} onGiven={() => book()} />}
      </Stack>
    )
  }
  return (
    <Page
      title={t('new')}
      back={
        <BackLink to="/$clinic/visits" params={{ clinic: slug }}>
          {t('title')}
        </BackLink>
      }
    >
      <BookingFlow organization={slug} isBooked={isBooked}>
        {details}
      </BookingFlow>
    </Page>
  )
}
