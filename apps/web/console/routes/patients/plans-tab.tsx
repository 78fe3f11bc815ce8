import type { TreatmentPlanSummary } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { type Column, DataList } from '../../../ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE, useListSearch } from '../../../ui/data-list/list-search.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'
import { IconStretching } from '../../../ui/icons/index.ts'

export function PlansTab() {
  const t = useTranslations('console.patients')
  const { page } = useListSearch()
  const query = { patient_id: useParam('id'), page, limit: LIST_PAGE_SIZE }
  const plans = useList('GET /v1/treatment-plans', { query })
  const columns: Column<TreatmentPlanSummary>[] = [
    { key: 'title', header: t('planTitle'), cell: ({ title }) => title },
    {
      key: 'sessions',
      header: t('sessions'),
      cell: ({ sessions_count }) => t('planSessions', { count: sessions_count }),
    },
    { key: 'status', header: t('status'), cell: ({ status }) => t(`planStatus.${status}`) },
  ]
  return (
    <DataList
      label={t('plans')}
      list={plans}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState icon={IconStretching} title={t('noPlans')} text={t('noPlansText')} />}
    />
  )
}
