import type { ClinicRun } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { Instant } from '../../../ui/format/time.tsx'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { Pain } from '../session-runs/pain.tsx'
import { runPath } from '../session-runs/run-path.ts'
import { daysAgo } from './days.ts'
import { PANEL_ROWS, Panel } from './panel.tsx'

const DAYS = 7

function useRow() {
  const { slug } = useClinic()
  return (run: ClinicRun) => ({
    key: run.id,
    to: runPath(slug, run),
    title: run.patient.name,
    text: (
      <>
        {run.session_title} · <Instant value={run.started_at} />
      </>
    ),
    mark: run.worst_pain === null ? null : <Pain value={run.worst_pain} />,
  })
}

/** Sessions with pain, worst first. */
export function PainPanel() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const [since] = useState(() => daysAgo(DAYS))
  const runs = useList('GET /v1/session-runs', {
    query: { started_at_after: since, sort: '-worst_pain', limit: PANEL_ROWS },
  })
  const hurt = runs.data?.items.filter(({ worst_pain }) => (worst_pain ?? 0) > 0) ?? []
  const all = runs.data && {
    ...runs.data,
    items: hurt,
    total: hurt.length < PANEL_ROWS ? hurt.length : runs.data.total,
  }
  return (
    <Panel
      title={t('worst')}
      help={t('worstHelp')}
      empty={t('worstEmpty')}
      list={{ data: all, error: runs.error, refetch: runs.refetch }}
      row={useRow()}
      all={{ to: `/${slug}/session-runs`, search: { sort: '-worst_pain' } }}
    />
  )
}

/** Sessions with missing measurements. */
export function IncompletePanel() {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const [since] = useState(() => daysAgo(DAYS))
  const runs = useList('GET /v1/session-runs', {
    query: { incomplete: 'true', started_at_after: since, sort: '-started_at', limit: PANEL_ROWS },
  })
  return (
    <Panel
      title={t('lost')}
      help={t('lostHelp')}
      empty={t('lostEmpty')}
      list={runs}
      row={useRow()}
      all={{ to: `/${slug}/session-runs`, search: { incomplete: 'yes' } }}
    />
  )
}
