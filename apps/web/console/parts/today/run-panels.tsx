import { linkOptions } from '@tanstack/react-router'
import type { ClinicRun } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { Instant } from '#ui/format/time.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { Felt } from '../session-runs/pain.tsx'
import { runLink } from '../session-runs/run-link.ts'
import { daysAgo } from './days.ts'
import { PANEL_ROWS, Panel } from './panel.tsx'

const DAYS = 7
/** The panel reads no more sessions of a week. */
const MAX_RUNS = 100

function useRow() {
  const { slug } = useClinic()
  return (run: ClinicRun) => ({
    key: run.id,
    link: runLink(slug, run),
    title: run.patient.name,
    text: (
      <>
        {run.session_title} · <Instant value={run.started_at} />
      </>
    ),
    mark: run.worst_pain === null && !run.warning ? null : <Felt run={run} />,
  })
}

/** Sessions with warning signs, then those with pain, worst first. */
export function PainPanel() {
  const t = useTranslations('console.today')
  const { slug, time_zone } = useClinic()
  const [since] = useState(() => daysAgo(time_zone, DAYS))
  // Without `sort` warning signs come first, then the worst pain.
  const runs = useList('GET /v1/session-runs', { query: { started_at_after: since, limit: MAX_RUNS } })
  const read = runs.data?.items ?? []
  const felt = read.filter(({ worst_pain, warning }) => warning || (worst_pain ?? 0) > 0)
  const all = runs.data && { ...runs.data, items: felt.slice(0, PANEL_ROWS), total: felt.length }
  const isMore = felt.length === read.length && (runs.data?.total ?? 0) > read.length
  return (
    <Panel
      title={t('worst')}
      help={t('worstHelp')}
      empty={t('worstEmpty')}
      list={{ data: all, error: runs.error, refetch: runs.refetch }}
      isMore={isMore}
      row={useRow()}
      all={linkOptions({ to: '/$clinic/session-runs', params: { clinic: slug }, search: { sort: '-worst_pain' } })}
    />
  )
}

/** Sessions with missing measurements. */
export function IncompletePanel() {
  const t = useTranslations('console.today')
  const { slug, time_zone } = useClinic()
  const [since] = useState(() => daysAgo(time_zone, DAYS))
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
      all={linkOptions({ to: '/$clinic/session-runs', params: { clinic: slug }, search: { incomplete: 'yes' } })}
    />
  )
}
