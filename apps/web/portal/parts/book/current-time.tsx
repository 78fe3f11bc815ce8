import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type ShownVisit, VisitTime } from './visit-facts.tsx'

interface CurrentTimeProps {
  visit: Pick<ShownVisit, 'starts_at' | 'mode' | 'specialist' | 'location'>
  /** The link that keeps the visit as it is. */
  children: ReactNode
}

/** Time, specialist and place of a visit that is being moved. */
export function CurrentTime({ visit: { starts_at, mode, specialist, location }, children }: CurrentTimeProps) {
  const t = useTranslations('portal.booking')
  const tBook = useTranslations('portal.book')
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" c="dimmed">
            {t('present')}
          </Text>
          <Text fw={650}>
            <VisitTime startsAt={starts_at ?? ''} />
          </Text>
          {specialist && <Text c="dimmed">{tBook('with', { name: specialist.name })}</Text>}
          <Text c="dimmed">{mode === 'in_person' ? location?.name : tBook(`modes.${mode}`)}</Text>
        </div>
        {children}
      </Group>
    </Paper>
  )
}
