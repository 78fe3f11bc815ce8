import { Alert, Button, Stack, Text } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { useMay } from '#ui/session/me.ts'
import { VISIT_READS } from './visit-reads.ts'

/** Says that a visit is on a day off, and lets the clinic keep it all the same. */
export function DayOffNotice({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.visits.dayOff')
  const may = useMay()
  const write = useWrite('PATCH /v1/appointments/{id}', { refresh: VISIT_READS })
  const off = visit.day_off
  if (!off) return null
  const { is_kept, reason } = off
  return (
    <Alert color={is_kept ? 'gray' : 'orange'} variant="outline">
      <Stack gap="xs" align="flex-start">
        <Text>{is_kept ? t('kept') : reason === null ? t('text') : t('reason', { reason })}</Text>
        {may('appointments.manage') && (
          <Button
            variant="default"
            loading={write.isPending}
            onClick={() =>
              write.mutate({ params: { id: visit.id }, body: { kept_on_day_off: !is_kept, version: visit.version } })
            }
          >
            {is_kept ? t('undo') : t('keep')}
          </Button>
        )}
        <Problem error={write.error} />
      </Stack>
    </Alert>
  )
}
