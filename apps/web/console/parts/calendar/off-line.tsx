import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { DayOff } from './days-off.ts'

/** Says below the name of a day, or of a specialist, who is off and why. */
export function OffLine({ off, withName = true }: { off: readonly DayOff[]; withName?: boolean }) {
  const t = useTranslations('console.calendar')
  return off.map(({ specialistId, name, reason }) => (
    <Text key={specialistId ?? name} component="span" display="block" size="sm" fw={400}>
      {[
        specialistId === undefined ? t('closed') : t('off'),
        specialistId === undefined || withName ? name : null,
        reason,
      ]
        .filter((part) => part !== null)
        .join(' · ')}
    </Text>
  ))
}
