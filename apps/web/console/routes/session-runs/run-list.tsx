import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ApiError, ClinicRun, List } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type Column, DataList } from '../../../ui/data-list/data-list.tsx'
import { Instant } from '../../../ui/format/time.tsx'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { Pain } from './pain.tsx'
import { runPath } from './run-path.ts'

interface RunListProps {
  label: string
  list: {
    data: List<ClinicRun> | undefined
    error: ApiError | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  empty: ReactNode
  /** Hidden in a patient's record. */
  withPatient?: boolean
  filters?: ReactNode
  filterNames?: readonly string[]
}

/** Sessions that patients did at home. */
export function RunList({ label, list, empty, withPatient = false, ...filters }: RunListProps) {
  const t = useTranslations('console.today')
  const { slug } = useClinic()
  const columns: Column<ClinicRun>[] = [
    ...(withPatient
      ? [
          {
            key: 'patient',
            header: t('patient'),
            cell: (run: ClinicRun) => (
              <Anchor component={Link} to={runPath(slug, run)}>
                {run.patient.name}
              </Anchor>
            ),
          },
        ]
      : []),
    {
      key: 'session',
      header: t('session'),
      wide: withPatient,
      cell: (run) =>
        withPatient ? (
          run.session_title
        ) : (
          <Anchor component={Link} to={runPath(slug, run)}>
            {run.session_title}
          </Anchor>
        ),
    },
    {
      key: 'started',
      header: t('started'),
      sort: 'started_at',
      wide: withPatient,
      cell: ({ started_at }) => <Instant value={started_at} />,
    },
    { key: 'pain', header: t('pain'), sort: 'worst_pain', cell: ({ worst_pain }) => <Pain value={worst_pain} /> },
    { key: 'state', header: t('state'), wide: true, cell: (run) => <State run={run} /> },
  ]
  return <DataList label={label} list={list} columns={columns} rowKey={({ id }) => id} empty={empty} {...filters} />
}

function State({ run }: { run: ClinicRun }) {
  const t = useTranslations('console.today')
  if (run.status === 'in_progress') return t('running')
  return run.incomplete ? t('incomplete') : t('complete')
}
