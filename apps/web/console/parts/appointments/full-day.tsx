import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ApiError } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'

interface BookingProblemProps {
  write: { error: ApiError | null; isPending: boolean }
  serviceId: string | undefined
  action: 'book' | 'move' | 'offer'
  /** Sends the same again with `over_limit`. */
  onAnyway: () => void
}

/** Like `Problem`. When the specialist's day is full for the service, staff may go beyond its limit. */
export function BookingProblem({ write, serviceId, action, onAnyway }: BookingProblemProps) {
  if (write.error?.code !== 'day_full') return <Problem error={write.error} />
  return <FullDay serviceId={serviceId} action={action} isPending={write.isPending} onAnyway={onAnyway} />
}

type FullDayProps = Omit<BookingProblemProps, 'write'> & { isPending: boolean }

function FullDay({ serviceId = '', action, isPending, onAnyway }: FullDayProps) {
  const t = useTranslations('console.visits.full')
  const service = useRead('GET /v1/services/{id}', { params: { id: serviceId } }, { enabled: serviceId !== '' })
  const max = service.data?.data.max_per_day
  return (
    <Alert color="orange" variant="outline" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{t('title')}</Text>
        <Text>{typeof max === 'number' ? t('limit', { max }) : t('text')}</Text>
        <Button variant="default" loading={isPending} onClick={onAnyway}>
          {t(`anyway.${action}`)}
        </Button>
      </Stack>
    </Alert>
  )
}
