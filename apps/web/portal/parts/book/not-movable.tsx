import type { Booking } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { IconCalendar } from '#ui/icons/index.ts'
import { CallClinic } from '../../frame/call-clinic.tsx'
import { isChangeable } from './possible-changes.ts'
import type { ShownVisit } from './visit-facts.tsx'

interface NotMovableProps {
  visit: Pick<ShownVisit, 'location'> & { status: Booking['status']; rescheduled_to_id?: string | null }
  /** The clinic's slug. */
  slug: string
  /** The way back. */
  action: ReactNode
}

/** In place of the free times of a visit that cannot be moved: its state, or that it is too late. */
export function NotMovable({ visit, slug, action }: NotMovableProps) {
  const t = useTranslations('portal.booking')
  const isLate = isChangeable(visit.status)
  const text = isLate
    ? t('tooLate')
    : visit.rescheduled_to_id
      ? t('alreadyMoved')
      : t('stateNow', { status: t(`status.${visit.status}`) })
  return (
    <EmptyState
      icon={IconCalendar}
      title={t('cannotMove')}
      text={text}
      action={
        <>
          {isLate && <CallClinic slug={slug} location={visit.location} />}
          {action}
        </>
      }
    />
  )
}
