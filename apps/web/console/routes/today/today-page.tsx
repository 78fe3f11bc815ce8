import { Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { LIST_PAGE_SIZE, useListSearch } from '../../../ui/data-list/list-search.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { IconActivity } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { RunList } from '../session-runs/run-list.tsx'

const DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

/** Midnight, so that the same list is not asked for under ever new URLs. */
const aWeekAgo = () => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS).toISOString()

/** What happened at the patients' homes: the worst pain first. */
export function TodayPage() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const { sort = '-worst_pain', page } = useListSearch()
  const [since] = useState(aWeekAgo)
  const runs = useList('GET /v1/session-runs', {
    query: { started_at_after: since, sort, page, limit: LIST_PAGE_SIZE },
  })
  return (
    <Page title={t('title')}>
      <Stack gap={4}>
        <Title order={2}>{t('runs')}</Title>
        <Text c="dimmed">{t('runsHelp')}</Text>
      </Stack>
      <RunList
        withPatient
        label={t('runs')}
        list={runs}
        empty={
          <EmptyState
            icon={IconActivity}
            title={t('empty')}
            text={t('emptyText')}
            action={
              <Button component={Link} to={`/${slug}/patients`}>
                {t('toPatients')}
              </Button>
            }
          />
        }
      />
    </Page>
  )
}
