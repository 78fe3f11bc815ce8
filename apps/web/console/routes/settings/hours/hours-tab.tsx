import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Calendar } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { IconClock, IconPlus } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { ClosedDays } from '../../../parts/settings/hours/closed-days.tsx'
import { DaysOff } from '../../../parts/settings/hours/days-off.tsx'
import { HoursDialog } from '../../../parts/settings/hours/hours-dialog.tsx'
import { WeekHours } from '../../../parts/settings/hours/week-hours.tsx'
import { LinkedAccount } from '../../../parts/specialists/link-account.tsx'
import { NewSpecialist } from '../../../parts/specialists/new-specialist.tsx'

interface Open {
  specialistId: string
  name: string
  calendar: Calendar | undefined
}

/** When each specialist works. Free times come from these hours. */
export function HoursTab() {
  const t = useTranslations('console.settings.hours')
  const tSpecialist = useTranslations('console.specialist')
  const may = useMay()
  const [open, setOpen] = useState<Open>()
  const [adding, setAdding] = useState(false)
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name', include: 'human' } })
  const calendars = useWholeList('GET /v1/calendars')
  const mayManage = may('calendars.manage')
  const hasSpecialists = (specialists.data?.items.length ?? 0) > 0
  const add = may('specialists.manage') && (
    <Button variant="default" leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {tSpecialist('title')}
    </Button>
  )
  return (
    <Stack maw={720}>
      <Group justify="space-between">
        <Text c="dimmed" maw={480}>
          {t('help')}
        </Text>
        {hasSpecialists && add}
      </Group>
      {hasSpecialists && <ClosedDays readOnly={!mayManage} />}
      <Loaded query={specialists}>
        {({ items }) => (
          <Loaded query={calendars}>
            {(read) =>
              items.length === 0 ? (
                <EmptyState icon={IconClock} title={t('empty')} text={t('emptyText')} action={add} />
              ) : (
                items.map((specialist) => {
                  const { id, name } = specialist
                  const own = read.items.filter(({ specialist_id }) => specialist_id === id)
                  return (
                    <Paper key={id} withBorder p="lg" component="section" aria-label={name}>
                      <Group justify="space-between" mb="xs">
                        <Title order={2}>{name}</Title>
                        {mayManage && own.length === 0 && (
                          <Button onClick={() => setOpen({ specialistId: id, name, calendar: undefined })}>
                            {t('set')}
                          </Button>
                        )}
                      </Group>
                      <LinkedAccount specialist={specialist} />
                      {own.length === 0 && <Text c="dimmed">{t('none')}</Text>}
                      {own.map((calendar) => (
                        <Stack key={calendar.id} gap="xs">
                          <Group justify="space-between">
                            <Text fw={600}>{calendar.name}</Text>
                            {mayManage && (
                              <Button
                                size="xs"
                                variant="default"
                                aria-label={`${t('change')}: ${name}`}
                                onClick={() => setOpen({ specialistId: id, name, calendar })}
                              >
                                {t('change')}
                              </Button>
                            )}
                          </Group>
                          <WeekHours hours={calendar.weekly_hours} />
                          <DaysOff calendar={calendar} readOnly={!mayManage} />
                        </Stack>
                      ))}
                    </Paper>
                  )
                })
              )
            }
          </Loaded>
        )}
      </Loaded>
      {open && <HoursDialog {...open} onClose={() => setOpen(undefined)} />}
      <NewSpecialist open={adding} onClose={() => setAdding(false)} />
    </Stack>
  )
}
