import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import '@mantine/core/styles/ThemeIcon.layer.css'
import type { Booking } from '@tendon/sdk'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { InZone } from '#ui/i18n/i18n.tsx'
import { IconCheck } from '#ui/icons/index.ts'
import { CalendarButton } from './calendar-button.tsx'
import { useServiceNames } from './service-names.ts'
import { VisitFacts } from './visit-facts.tsx'

interface BookedProps {
  booking: Booking
  /** What happens next. */
  text: string
  action: ReactNode
}

/** The last page of a booking. */
export function Booked({ booking, text, action }: BookedProps) {
  const t = useTranslations('portal.book')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const nameOf = useServiceNames(booking.organization.slug)
  const isPending = booking.status === 'pending'
  return (
    <InZone zone={booking.time_zone}>
      <Stack gap="lg">
        <Group wrap="nowrap" align="flex-start">
          <ThemeIcon size={44} radius="xl">
            <IconCheck />
          </ThemeIcon>
          <Stack gap={4}>
            <Title order={2} ref={heading} tabIndex={-1}>
              {isPending ? t('received') : t('booked')}
            </Title>
            <Text>{isPending ? t('receivedText', { clinic: booking.organization.name }) : text}</Text>
          </Stack>
        </Group>
        <VisitFacts visit={{ ...booking, service: nameOf(booking.service) }} reference={booking.reference}>
          <Group gap="xs" className="phone-wide">
            <CalendarButton visit={booking} clinic={booking.organization.name} />
            {action}
          </Group>
        </VisitFacts>
      </Stack>
    </InZone>
  )
}

/** What a tab keeps of a booking when it is loaded again: nothing that says who booked what, or that can change. */
export type ReceivedBooking = Pick<Booking, 'reference'>

declare module '@tanstack/react-router' {
  interface HistoryState {
    received?: ReceivedBooking
  }
}

interface ReceivedProps extends ReceivedBooking {
  action: ReactNode
}

/** The last page of a booking after a reload or Back. Only its mail has the link, so what has become of it is not known here. */
export function Received({ reference, action }: ReceivedProps) {
  const t = useTranslations('portal.book')
  const texts = [t('linkMailed'), `${t('reference')}: ${reference}`]
  return (
    <EmptyState
      icon={IconCheck}
      title={t('bookingReceived')}
      text={texts.map((text) => (
        <Text key={text} component="span" display="block">
          {text}
        </Text>
      ))}
      action={action}
    />
  )
}
