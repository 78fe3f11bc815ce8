import { useLoaderDeps, useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { IconActivity } from '#ui/icons/index.ts'
import { WritePlanButton } from '../../parts/patients/plans/write-plan-button.tsx'
import { RunList } from '../../parts/session-runs/run-list.tsx'

export function SessionsTab() {
  const t = useTranslations('console.patients')
  const query = useLoaderDeps({ from: '/$clinic/patients/$id/sessions' })
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const runs = useList('GET /v1/session-runs', { query: { patient_id: id, ...query } })
  const empty = (
    <EmptyState icon={IconActivity} title={t('noSessions')} text={t('noSessionsText')} action={<WritePlanButton />} />
  )
  return <RunList label={t('sessions')} list={runs} empty={empty} />
}
