import { NativeSelect } from '@mantine/core'
import { useLoaderDeps, useSearch } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { useChangeSearch } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { IconActivity } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { RunList } from '../../parts/session-runs/run-list.tsx'

/** Every session of the clinic's patients. */
export function SessionRunsPage() {
  const t = useTranslations('console.today')
  const tRuns = useTranslations('console.runs')
  const { slug } = useClinic()
  const change = useChangeSearch()
  const { incomplete } = useSearch({ from: '/$clinic/session-runs' })
  const query = useLoaderDeps({ from: '/$clinic/session-runs' })
  const runs = useList('GET /v1/session-runs', { query })
  return (
    <Page title={t('runs')}>
      <RunList
        withPatient
        label={t('runs')}
        list={runs}
        filterNames={['incomplete']}
        filters={
          <NativeSelect
            aria-label={t('state')}
            value={incomplete ?? ''}
            onChange={(event) => change({ incomplete: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: tRuns('any') },
              { value: 'yes', label: tRuns('onlyIncomplete') },
              { value: 'no', label: tRuns('onlyComplete') },
            ]}
          />
        }
        empty={
          <EmptyState
            icon={IconActivity}
            title={t('empty')}
            text={t('emptyText')}
            action={
              <ButtonLink to="/$clinic/patients" params={{ clinic: slug }}>
                {t('toPatients')}
              </ButtonLink>
            }
          />
        }
      />
    </Page>
  )
}
