import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { VisitTime } from './visit-facts.tsx'

/** The time of a visit that is being moved. `children`: the link that keeps it. */
export function CurrentTime({ startsAt, children }: { startsAt: string; children: ReactNode }) {
  const t = useTranslations('portal.booking')
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" c="dimmed">
            {t('present')}
          </Text>
          <Text fw={650}>
            <VisitTime startsAt={startsAt} />
          </Text>
        </div>
        {children}
      </Group>
    </Paper>
  )
}
