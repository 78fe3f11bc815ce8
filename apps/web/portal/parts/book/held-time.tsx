import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { hasTyped } from '#ui/field-form/typed.ts'
import { usePrice } from '#ui/format/money.ts'
import { IconClock } from '#ui/icons/index.ts'
import type { Chosen } from './booking-flow.tsx'
import { ChangeDeadline } from './change-deadline.tsx'
import { deadlinesOf } from './possible-changes.ts'
import { useServiceText } from './service-list.tsx'
import { useHoldState } from './use-hold.ts'
import { VisitPlace, VisitTime } from './visit-facts.tsx'

interface HeldSummaryProps {
  chosen: Chosen
  /** A moved visit keeps its price; a new one has the price of the service. */
  cost?: { price_cents: number | null; currency: string }
}

/** The held time and the remaining seconds. `children`: the remaining questions, shown while the time is held. */
export function HeldSummary({
  chosen: { service, held, organization, chooseAgain },
  cost = service,
}: HeldSummaryProps) {
  const t = useTranslations('portal.book')
  const tProblem = useTranslations('ui.problem')
  const { name } = useServiceText(service)
  const { state, seconds } = useHoldState(held)
  const { hold } = held
  const specialist = service.specialists.find(({ id }) => id === hold.specialist_id)
  const location = service.locations.find(({ id }) => id === hold.location_id)
  const price = usePrice()(cost.price_cents, cost.currency)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Stack gap="sm">
      <Paper withBorder p="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Text fw={650}>{name}</Text>
            <Text>
              <VisitTime startsAt={hold.starts_at} />
            </Text>
            {specialist && <Text c="dimmed">{t('with', { name: specialist.name })}</Text>}
            <Text component="div" c="dimmed">
              {hold.mode === 'in_person' ? <VisitPlace location={location ?? null} /> : t(`modes.${hold.mode}`)}
            </Text>
            {price !== null && (
              <Text>
                {t('price')}: {price}
              </Text>
            )}
          </div>
          <Button variant="default" size="md" onClick={chooseAgain}>
            {t('otherTime')}
          </Button>
        </Group>
      </Paper>
      <ChangeDeadline deadlines={deadlinesOf(hold.starts_at, service)} slug={organization} location={location} isHeld />
      {state === 'ended' ? (
        <Alert color="orange" role="alert" icon={<IconClock />}>
          <Stack gap="sm" align="flex-start">
            <Text>
              {t('heldEnded')}
              {hasTyped() && ` ${tProblem('kept')}`}
            </Text>
            <Button size="md" onClick={chooseAgain}>
              {t('chooseAgain')}
            </Button>
          </Stack>
        </Alert>
      ) : (
        <Group gap="xs">
          <IconClock size={18} />
          <Text role="timer">{t('heldFor', { time: clock })}</Text>
          <Text role="status" fw={650}>
            {state === 'expiring' ? t('heldExpiring') : ''}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
