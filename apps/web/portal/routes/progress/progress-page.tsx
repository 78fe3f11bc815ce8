import { Button, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { IconChartBar } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { Bars } from '../../parts/progress/bars.tsx'
import classes from '../../parts/progress/progress.module.css'
import { type Week, weeksOf } from '../../parts/progress/weeks.ts'

const WEEKS = 8
const MAX_PAIN = 10

/** Sessions, completion and pain of the last weeks. */
export function ProgressPage() {
  const t = useTranslations('portal.progress')
  const { id, slug, time_zone } = useClinic()
  const [now] = useState(() => Date.now())
  const since = new Date(now - (WEEKS + 1) * 7 * 86_400_000).toISOString()
  const runs = useWholeList('GET /v1/me/session-runs', {
    query: { sort: '-started_at', started_at_after: since },
  })
  return (
    <Page title={t('title')}>
      <Loaded query={runs}>
        {({ items }) => {
          const here = items.filter(({ organization, status }) => organization.id === id && status !== 'in_progress')
          return here.length === 0 ? (
            <EmptyState
              icon={IconChartBar}
              title={t('empty')}
              text={t('emptyText')}
              action={
                <ButtonLink variant="light" size="md" to="/$clinic" params={{ clinic: slug }}>
                  {t('toToday')}
                </ButtonLink>
              }
            />
          ) : (
            <Weeks weeks={weeksOf(here, time_zone, now, WEEKS)} />
          )
        }}
      </Loaded>
    </Page>
  )
}

function Weeks({ weeks }: { weeks: readonly Week[] }) {
  const t = useTranslations('portal.progress')
  const format = useFormatter()
  const [asTable, setAsTable] = useState(false)
  const dayOf = (monday: string) =>
    format.dateTime(new Date(`${monday}T00:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const barsOf = (of: (week: Week) => number | null) =>
    weeks.map((week) => ({ key: week.monday, label: dayOf(week.monday), value: of(week) }))
  const parts = [
    { key: 'sessions', of: (week: Week) => week.sessions, max: Math.max(...weeks.map((week) => week.sessions)) },
    { key: 'completed', of: (week: Week) => week.completed, max: 100 },
    { key: 'pain', of: (week: Week) => week.worst_pain, max: MAX_PAIN },
    { key: 'measured', of: (week: Week) => week.measured, max: Math.max(...weeks.map((week) => week.measured ?? 0)) },
    { key: 'tapped', of: (week: Week) => week.tapped, max: Math.max(...weeks.map((week) => week.tapped ?? 0)) },
  ] as const
  return (
    <Stack gap="lg">
      {asTable ? (
        <WeekTable weeks={weeks} dayOf={dayOf} />
      ) : (
        <>
          {parts.map(({ key, of, max }) => (
            <Paper key={key} withBorder p="md" component="section" aria-labelledby={`progress-${key}`}>
              <Title order={2} id={`progress-${key}`} size="h3">
                {t(`${key}.title`)}
              </Title>
              <Text c="dimmed" mb="sm">
                {t(`${key}.text`)}
              </Text>
              <Bars bars={barsOf(of)} max={max} />
            </Paper>
          ))}
          <VisuallyHidden component="div">
            <WeekTable weeks={weeks} dayOf={dayOf} />
          </VisuallyHidden>
        </>
      )}
      <Button variant="default" size="md" w="fit-content" className="no-print" onClick={() => setAsTable(!asTable)}>
        {asTable ? t('asChart') : t('asTable')}
      </Button>
    </Stack>
  )
}

function WeekTable({ weeks, dayOf }: { weeks: readonly Week[]; dayOf: (monday: string) => string }) {
  const t = useTranslations('portal.progress')
  const format = useFormatter()
  return (
    <table className={classes.table}>
      <caption>{t('caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('week')}</th>
          <th scope="col">{t('sessions.short')}</th>
          <th scope="col">{t('completed.short')}</th>
          <th scope="col">{t('pain.short')}</th>
          <th scope="col">{t('measured.short')}</th>
          <th scope="col">{t('tapped.short')}</th>
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ monday, sessions, completed, worst_pain, measured, tapped }) => (
          <tr key={monday}>
            <th scope="row">{dayOf(monday)}</th>
            <td>{sessions}</td>
            <td>{completed === null ? '–' : format.number(completed / 100, { style: 'percent' })}</td>
            <td>{worst_pain ?? '–'}</td>
            <td>{measured ?? '–'}</td>
            <td>{tapped ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
