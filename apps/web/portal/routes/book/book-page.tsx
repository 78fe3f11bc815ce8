import { Button, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import type { CreatedBooking } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useNow } from '#ui/format/use-now.ts'
import { Page } from '#ui/frame/page.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useBranding } from '../../frame/branding.tsx'
import { PublicFrame } from '../../frame/public-frame.tsx'
import { Booked, Received } from '../../parts/book/booked.tsx'
import { BookingFlow, type Chosen } from '../../parts/book/booking-flow.tsx'
import { HeldSummary } from '../../parts/book/held-time.tsx'
import { deadlinesOf, possibleChanges } from '../../parts/book/possible-changes.ts'

const NOBODY = { booker: { name: '', email: '', phone: '' }, patient_note: '' }

/** Booking without an account: service, time, name and e-mail address. */
export function BookPage() {
  const t = useTranslations('portal.book')
  const slug = useParams({ from: '/$clinic/book' }).clinic
  const clinic = useBranding(slug)
  return (
    <PublicFrame clinic={clinic.data?.data}>
      <Page title={t('title')}>
        <Loaded query={clinic}>{({ data }) => <BookAt slug={data.slug} clinic={data.name} />}</Loaded>
      </Page>
    </PublicFrame>
  )
}

function BookAt({ slug, clinic }: { slug: string; clinic: string }) {
  const t = useTranslations('portal.book')
  const { language } = useLanguage()
  const navigate = useNavigate()
  const received = useLocation({ select: ({ state }) => state.received })
  const now = useNow()
  const [booked, setBooked] = useState<{ booking: CreatedBooking; email: string } | null>(null)
  const isBooked = useRef(false)
  const write = useWrite('POST /v1/public/bookings', {
    onDone: ({ data }) => {
      isBooked.current = true
      setBooked({ booking: data, email: form.values.booker.email })
      const received = { reference: data.reference }
      void navigate({ to: '.', search: {}, state: { received }, replace: true })
    },
  })
  // Kept here, not in the last step, so that typed text survives an expired hold.
  const form = useApiForm(write, NOBODY, { isKeptInSteps: true })

  const another = (
    <Button
      variant="default"
      size="md"
      onClick={() => {
        isBooked.current = false
        setBooked(null)
        void navigate({ to: '.', search: {} })
      }}
    >
      {t('another')}
    </Button>
  )
  const can = booked && possibleChanges(booked.booking, now)
  if (booked)
    return (
      <Booked
        booking={booked.booking}
        text={t('mailed', { email: booked.email.trim(), can: can ?? 'none' })}
        action={
          <>
            <Button component="a" href={new URL(booked.booking.manage_url).pathname} variant="default" size="md">
              {t('manage', { can: can ?? 'none' })}
            </Button>
            {another}
          </>
        }
      />
    )
  if (received) return <Received {...received} action={another} />

  const details = (chosen: Chosen) => (
    <Stack gap="lg">
      <HeldSummary chosen={chosen} key={chosen.held.hold.id} />
      <form
        noValidate
        onSubmit={form.onSubmit((body) => write.mutate({ body: { ...body, hold_id: chosen.held.hold.id, language } }))}
      >
        <Stack>
          <Title order={2}>{t('details')}</Title>
          <TextInput {...form.text('booker.name')} size="md" label={t('name')} autoComplete="name" required />
          <TextInput
            {...form.text('booker.email')}
            size="md"
            type="email"
            label={t('email')}
            description={t('emailHelp', {
              can: possibleChanges(deadlinesOf(chosen.held.hold.starts_at, chosen.service), now),
            })}
            autoComplete="email"
            required
          />
          <TextInput {...form.text('booker.phone')} size="md" type="tel" label={t('phone')} autoComplete="tel" />
          <Textarea
            {...form.text('patient_note')}
            size="md"
            label={t('note')}
            description={t('noteHelp', { clinic })}
            autosize
            minRows={2}
            maxLength={2000}
          />
          <Problem error={form.problem} />
          <SubmitButtons write={write} label={t('confirm')} size="md" />
        </Stack>
      </form>
    </Stack>
  )
  return (
    <BookingFlow organization={slug} isBooked={isBooked}>
      {details}
    </BookingFlow>
  )
}
