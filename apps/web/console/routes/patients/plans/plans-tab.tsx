import { Badge } from '@mantine/core'
import { useLoaderDeps, useParams } from '@tanstack/react-router'
import type { TreatmentPlanSummary } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Ago } from '#ui/format/time.tsx'
import { ButtonLink, TextLink } from '#ui/frame/links.tsx'
import { IconStretching } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { isOpen } from '../../../parts/patients/plans/plan-draft.ts'

export function PlansTab() {
  const t = useTranslations('console.patients')
  const tPlans = useTranslations('console.plans')
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const may = useMay()
  const query = useLoaderDeps({ from: '/$clinic/patients/$id/plans' })
  const plans = useList('GET /v1/treatment-plans', { query: { patient_id: id, ...query } })
  const columns: Column<TreatmentPlanSummary>[] = [
    {
      key: 'title',
      header: t('planTitle'),
      sort: 'title',
      cell: (plan) => (
        <TextLink to="/$clinic/patients/$id/plans/$planId" params={{ clinic: slug, id, planId: plan.id }}>
          {plan.title}
        </TextLink>
      ),
    },
    {
      key: 'status',
      header: t('planState'),
      sort: 'status',
      cell: ({ status, has_ended, is_blocked }) => (
        <>
          <Badge variant={status === 'active' ? 'filled' : 'default'}>{t(`planStatus.${status}`)}</Badge>{' '}
          {has_ended && isOpen({ status }) && <Badge variant="outline">{t('planEnded')}</Badge>}{' '}
          {is_blocked && (
            <Badge variant="filled" color="red.9">
              {tPlans('safety.block')}
            </Badge>
          )}
        </>
      ),
    },
    {
      key: 'sessions',
      header: t('sessions'),
      wide: true,
      cell: ({ sessions_count }) => t('planSessions', { count: sessions_count }),
    },
    {
      key: 'last_active_at',
      header: t('lastActive'),
      sort: 'last_active_at',
      wide: true,
      cell: ({ last_active_at }) => last_active_at && <Ago value={last_active_at} />,
    },
  ]
  const action = may('treatment_plans.manage') && (
    <ButtonLink to="/$clinic/patients/$id/plans/new" params={{ clinic: slug, id }}>
      {tPlans('new')}
    </ButtonLink>
  )
  return (
    <DataList
      label={t('plans')}
      list={plans}
      columns={columns}
      rowKey={(plan) => plan.id}
      empty={<EmptyState icon={IconStretching} title={t('noPlans')} text={t('noPlansText')} action={action} />}
    />
  )
}
