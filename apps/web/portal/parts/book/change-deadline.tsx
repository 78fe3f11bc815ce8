import { Alert, Stack, Text } from '@mantine/core'
import { useFormatter, useTranslations } from 'use-intl'
import { useNow } from '#ui/format/use-now.ts'
import { IconClock } from '#ui/icons/index.ts'
import { CallClinic } from '../../frame/call-clinic.tsx'
import { type Deadlines, possibleChanges } from './possible-changes.ts'

interface ChangeDeadlineProps {
  deadlines: Deadlines
  /** The clinic's slug. */
  slug: string
  location: { phone: string | null } | null | undefined
  /** A time that is not booked yet: warns where a change will not be possible. */
  isHeld?: boolean
}

/** Until when the visit can be moved and cancelled online; promises nothing that is too late. */
export function ChangeDeadline({ deadlines, slug, location, isHeld = false }: ChangeDeadlineProps) {
  const t = useTranslations('portal.booking')
  const format = useFormatter()
  const can = possibleChanges(deadlines, useNow())
  const time = (value: string | null) =>
    value === null
      ? ''
      : format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
  const [move, cancel] = [time(deadlines.reschedule_until), time(deadlines.cancel_until)]
  if (can === 'none' || (isHeld && can !== 'both'))
    return (
      <Alert color={isHeld ? 'orange' : 'gray'} {...(isHeld ? { icon: <IconClock /> } : {})}>
        <Stack gap={0} align="flex-start">
          <Text>{isHeld ? t('heldNotice', { can, move, cancel }) : t('tooLate')}</Text>
          {can === 'none' && <CallClinic slug={slug} location={location} />}
        </Stack>
      </Alert>
    )
  const isSame = can === 'both' && move === cancel
  return <Text c="dimmed">{isSame ? t('until', { time: move }) : t('untilEach', { can, move, cancel })}</Text>
}
