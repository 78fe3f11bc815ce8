import { Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { Address } from '@tendon/sdk'
import type { ComponentType, ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { addressLine } from '#ui/format/address.ts'
import { usePrice } from '#ui/format/money.ts'
import { TimeHere } from '#ui/format/time.tsx'
import { IconCalendar, IconUser } from '#ui/icons/index.ts'
import type { Mode } from './booking-search.ts'
import { MODE_ICONS } from './service-list.tsx'
import classes from './visit-facts.module.css'

export interface ShownVisit {
  starts_at: string | null
  ends_at: string | null
  mode: Mode
  service: { name: string }
  specialist: { name: string } | null
  location: { name: string; address: Address | null; phone: string | null } | null
  price_cents: number | null
  currency: string
}

interface VisitFactsProps {
  visit: ShownVisit
  reference?: string
  status?: ReactNode
  /** What the person can do with the visit, below the facts. */
  children?: ReactNode
}

/** Service, time, specialist and place of a visit. Used by every page that shows a visit. */
export function VisitFacts({ visit, reference, status, children }: VisitFactsProps) {
  const t = useTranslations('portal.book')
  const price = usePrice()(visit.price_cents, visit.currency)
  const { mode } = visit
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Text fw={650} size="lg">
            {visit.service.name}
          </Text>
          {status}
        </Group>
        <dl className={classes.facts}>
          {visit.starts_at !== null && (
            <Fact icon={IconCalendar} label={t('when')}>
              <VisitTime startsAt={visit.starts_at} />
            </Fact>
          )}
          {visit.specialist && (
            <Fact icon={IconUser} label={t('withWhom')}>
              {visit.specialist.name}
            </Fact>
          )}
          <Fact icon={MODE_ICONS[mode]} label={mode === 'in_person' ? t('where') : t('how')}>
            {mode === 'in_person' ? <VisitPlace location={visit.location} /> : t(`modes.${mode}`)}
          </Fact>
        </dl>
        {(price !== null || reference !== undefined) && (
          <Group gap="md" c="dimmed" fz="sm">
            {price !== null && (
              <span>
                {t('price')}: {price}
              </span>
            )}
            {reference !== undefined && (
              <span>
                {t('reference')}: {reference}
              </span>
            )}
          </Group>
        )}
        {children}
      </Stack>
    </Paper>
  )
}

/** Visits are booked some weeks ahead: the weekday says more than the year. */
const WITHOUT_YEAR = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

/** The day with its weekday, and the time. */
export function VisitTime({ startsAt }: { startsAt: string }) {
  const format = useFormatter()
  return (
    <>
      <time dateTime={startsAt}>{format.dateTime(new Date(startsAt), WITHOUT_YEAR)}</time>
      <TimeHere value={startsAt} />
    </>
  )
}

/** The name of the place and, below it, its address. */
export function VisitPlace({
  location,
}: {
  location: Pick<NonNullable<ShownVisit['location']>, 'name' | 'address'> | null
}) {
  const t = useTranslations('portal.book')
  const address = addressLine(location?.address ?? null)
  return (
    <>
      {location?.name ?? t('modes.in_person')}
      {address !== null && (
        <Text component="span" display="block" c="dimmed">
          {address}
        </Text>
      )}
    </>
  )
}

interface FactProps {
  icon: ComponentType<{ size?: number }>
  /** For screen readers; the icon says the same. */
  label: string
  children: ReactNode
}

function Fact({ icon: Icon, label, children }: FactProps) {
  return (
    <div>
      <dt>
        <Icon size={20} />
        <VisuallyHidden>{label}</VisuallyHidden>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
