import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import '@mantine/core/styles/ThemeIcon.layer.css'
import type { Booking } from '@tendon/sdk'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
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
