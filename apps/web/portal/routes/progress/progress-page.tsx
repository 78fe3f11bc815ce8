import { Button, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList } from '../../../ui/api/hooks.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { IconChartBar } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { Bars } from './bars.tsx'
import classes from './progress.module.css'
import { type Week, weeksOf } from './weeks.ts'

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
                <Button
                  variant="light"
                  size="md"
                  renderRoot={(props) => <Link {...props} to="/$clinic" params={{ clinic: slug }} />}
                >
                  {t('toToday')}
                </Button>
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
  const barsOf = (of: (week: Week) => number | null, text: (value: number) => string = String) =>
    weeks.map((week) => {
      const value = of(week)
      return { key: week.monday, label: dayOf(week.monday), value, text: value === null ? '' : text(value) }
    })
  const parts = [
    { key: 'sessions', of: (week: Week) => week.sessions, max: Math.max(...weeks.map((week) => week.sessions)) },
    { key: 'completed', of: (week: Week) => week.completed, max: 100, text: (value: number) => `${value}%` },
    { key: 'pain', of: (week: Week) => week.worst_pain, max: MAX_PAIN },
    {
      key: 'repetitions',
      of: (week: Week) => week.repetitions,
      max: Math.max(...weeks.map((week) => week.repetitions)),
    },
  ] as const
  return (
    <Stack gap="lg">
      {asTable ? (
        <WeekTable weeks={weeks} dayOf={dayOf} />
      ) : (
        <>
          {parts.map(({ key, of, max, ...more }) => (
            <Paper key={key} withBorder p="md" component="section" aria-labelledby={`progress-${key}`}>
              <Title order={2} id={`progress-${key}`} size="h3">
                {t(`${key}.title`)}
              </Title>
              <Text c="dimmed" mb="sm">
                {t(`${key}.text`)}
              </Text>
              <Bars bars={barsOf(of, 'text' in more ? more.text : undefined)} max={max} />
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
  return (
    <table className={classes.table}>
      <caption>{t('caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('week')}</th>
          <th scope="col">{t('sessions.short')}</th>
          <th scope="col">{t('completed.short')}</th>
          <th scope="col">{t('pain.short')}</th>
          <th scope="col">{t('repetitions.short')}</th>
        </tr>
      </thead>
      <tbody>
        {weeks.map(({ monday, sessions, completed, worst_pain, repetitions }) => (
          <tr key={monday}>
            <th scope="row">{dayOf(monday)}</th>
            <td>{sessions}</td>
            <td>{completed === null ? '–' : `${completed}%`}</td>
            <td>{worst_pain ?? '–'}</td>
            <td>{repetitions}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
