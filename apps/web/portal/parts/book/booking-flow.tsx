import { Button, Stack, Text, Title } from '@mantine/core'
import type { PublicService } from '@tendon/sdk'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { InZone } from '#ui/i18n/i18n.tsx'
import { IconArrowLeft, IconCalendar } from '#ui/icons/index.ts'
import { CallClinic } from '../../frame/call-clinic.tsx'
import { type MovedVisit, offeredChoices, useBookingSearch, useChoose } from './booking-search.ts'
import { ServiceFacts, ServiceList, useServiceText } from './service-list.tsx'
import { TimeStep } from './time-step.tsx'
import { type HeldTime, useHold } from './use-hold.ts'

export interface Chosen {
  service: PublicService
  held: HeldTime
  /** The clinic's slug. */
  organization: string
  /** Returns to the free times. The page keeps typed text. */
  chooseAgain: () => void
}

interface BookingFlowProps {
  /** The clinic's slug. */
  organization: string
  /** The visit to move. */
  moved?: MovedVisit
  /** Set by the page after booking, so that leaving does not release the time. */
  isBooked: RefObject<boolean>
  /** The last step: the remaining questions and the button that books. */
  children: (chosen: Chosen) => ReactNode
}

/** The steps from the service to a held time, for visitors, patients and moved visits. */
export function BookingFlow({ organization, moved, isBooked, children }: BookingFlowProps) {
  const t = useTranslations('portal.book')
  const services = useRead('GET /v1/public/services', { query: { organization } }, { staleTime: 60_000 })
  const { service: wanted, slot } = useBookingSearch()
  useStepFocus(`${wanted ?? ''} ${slot ?? ''}`)
  return (
    <Loaded query={services} skeleton={<Skeletons rows={4} height={84} />}>
      {({ data }) => {
        const service = data.find(({ id }) => id === (moved?.service.id ?? wanted))
        if (service)
          return (
            <InZone zone={service.time_zone}>
              <Steps key={service.id} organization={organization} service={service} moved={moved} isBooked={isBooked}>
                {children}
              </Steps>
            </InZone>
          )
        const call = <CallClinic slug={organization} />
        if (moved) return <EmptyState icon={IconCalendar} title={t('noMove')} text={t('noMoveText')} action={call} />
        if (data.length === 0)
          return <EmptyState icon={IconCalendar} title={t('noServices')} text={t('noServicesText')} action={call} />
        return <ServiceList services={data} />
      }}
    </Loaded>
  )
}

/** A step removes the control that was used: Tab and screen readers go on from the page's heading. */
function useStepFocus(step: string): void {
  const before = useRef(step)
  useEffect(() => {
    const isNew = before.current !== step
    before.current = step
    if (isNew && document.activeElement === document.body) document.querySelector<HTMLElement>('h1[tabindex]')?.focus()
  }, [step])
}

interface StepsProps {
  organization: string
  service: PublicService
  moved: MovedVisit | undefined
  isBooked: RefObject<boolean>
  children: (chosen: Chosen) => ReactNode
}

function Steps({ organization, service, moved, isBooked, children }: StepsProps) {
  const { slot, ...search } = useBookingSearch()
  const { mode } = offeredChoices(service, search, moved)
  const choose = useChoose()
  const hold = useHold(isBooked, ({ starts_at }) => choose({ slot: starts_at }))
  const held = slot === undefined ? null : hold.held
  const { forget } = hold
  // The browser's "back" releases the time.
  useEffect(() => {
    if (slot === undefined) forget()
  }, [slot, forget])
  // After a reload or the browser's "forward" no time is held any more.
  const isLost = slot !== undefined && held === null
  useEffect(() => {
    if (isLost) choose({ slot: undefined }, { replace: true })
  })

  if (held) return children({ service, held, organization, chooseAgain: () => history.back() })
  if (hold.isReleasing || hold.held) return <Skeletons rows={4} height={84} />
  return (
    <Stack gap="lg">
      <ChosenService service={service} canChange={moved === undefined} />
      <TimeStep
        organization={organization}
        service={service}
        moved={moved}
        pending={hold.pending}
        error={hold.error}
        onPick={({ wanted }) =>
          hold.take({
            organization,
            service_id: service.id,
            mode,
            ...wanted,
            ...(moved && { moves_calendar_uid: moved.calendar_uid }),
          })
        }
      />
    </Stack>
  )
}

function ChosenService({ service, canChange }: { service: PublicService; canChange: boolean }) {
  const t = useTranslations('portal.book')
  const choose = useChoose()
  const { name, description } = useServiceText(service)
  const none = { service: undefined, specialist: undefined, location: undefined, mode: undefined }
  return (
    <Stack gap={4}>
      {canChange && (
        <Button
          variant="subtle"
          size="md"
          w="fit-content"
          px="xs"
          ml={-10}
          leftSection={<IconArrowLeft size={18} />}
          onClick={() => choose({ ...none, from: undefined, day: undefined, slot: undefined })}
        >
          {t('otherService')}
        </Button>
      )}
      <Title order={2}>{name}</Title>
      {description && <Text>{description}</Text>}
      <ServiceFacts service={service} />
    </Stack>
  )
}
