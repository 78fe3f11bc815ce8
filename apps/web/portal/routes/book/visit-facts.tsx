import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { TimeHere } from '../../../ui/format/time.tsx'
import type { Mode } from './booking-search.ts'
import { usePrice } from './service-list.tsx'
import classes from './visit-facts.module.css'

export interface ShownVisit {
  starts_at: string | null
  ends_at: string | null
  mode: Mode
  service: { name: string }
  specialist: { name: string } | null
  location: { name: string } | null
  price_cents: number | null
  currency: string
}

interface VisitFactsProps {
  visit: ShownVisit
  reference?: string
  /** The status of the visit, above the list. */
  children?: ReactNode
}

/** Time, service, specialist and place of a visit. Used by every page that shows a visit. */
export function VisitFacts({ visit, reference, children }: VisitFactsProps) {
  const t = useTranslations('portal.book')
  const format = useFormatter()
  const price = usePrice()(visit.price_cents, visit.currency)
  return (
    <Paper withBorder p="md">
      {children && <Group mb="sm">{children}</Group>}
      <dl className={classes.facts}>
        {visit.starts_at !== null && (
          <Fact label={t('when')}>
            <time dateTime={visit.starts_at}>
              {format.dateTime(new Date(visit.starts_at), { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' })}
            </time>
            <TimeHere value={visit.starts_at} />
          </Fact>
        )}
        <Fact label={t('what')}>{visit.service.name}</Fact>
        {visit.specialist && <Fact label={t('withWhom')}>{visit.specialist.name}</Fact>}
        <Fact label={visit.mode === 'in_person' ? t('where') : t('how')}>
          {visit.mode === 'in_person' ? (visit.location?.name ?? t('modes.in_person')) : t(`modes.${visit.mode}`)}
        </Fact>
        {price && <Fact label={t('price')}>{price}</Fact>}
        {reference !== undefined && <Fact label={t('reference')}>{reference}</Fact>}
      </dl>
    </Paper>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd>{children}</dd>
    </div>
  )
}
