import type { ApiError, ClinicRun, List } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { Instant } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { Felt } from './pain.tsx'
import { runLink } from './run-link.ts'

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
            cell: (run: ClinicRun) => <TextLink {...runLink(slug, run)}>{run.patient.name}</TextLink>,
          },
        ]
      : []),
    {
      key: 'session',
      header: t('session'),
      wide: withPatient,
      cell: (run) =>
        withPatient ? run.session_title : <TextLink {...runLink(slug, run)}>{run.session_title}</TextLink>,
    },
    {
      key: 'started',
      header: t('started'),
      sort: 'started_at',
      wide: withPatient,
      cell: ({ started_at }) => <Instant value={started_at} />,
    },
    { key: 'pain', header: t('pain'), sort: 'worst_pain', cell: (run) => <Felt run={run} /> },
    { key: 'exercises', header: t('exercises'), wide: true, cell: (run) => <Done run={run} /> },
    { key: 'repetitions', header: t('repetitions'), wide: true, cell: (run) => <Repetitions run={run} /> },
    { key: 'recording', header: t('recording'), wide: true, cell: (run) => <Recording run={run} /> },
  ]
  return <DataList label={label} list={list} columns={columns} rowKey={({ id }) => id} empty={empty} {...filters} />
}

function Done({ run: { status, exercises } }: { run: ClinicRun }) {
  const t = useTranslations('console.today')
  const parts = [
    t('exercisesDone', { done: exercises.completed, total: exercises.total }),
    ...(exercises.skipped > 0 ? [t('exercisesSkipped', { count: exercises.skipped })] : []),
    ...(status === 'in_progress' ? [t('running')] : []),
  ]
  return parts.join(', ')
}

function Repetitions({ run: { repetitions } }: { run: ClinicRun }) {
  const t = useTranslations('console.today')
  const parts = [
    ...(repetitions.measured === null ? [] : [t('measured', { count: repetitions.measured })]),
    ...(repetitions.tapped === null ? [] : [t('tapped', { count: repetitions.tapped })]),
  ]
  return parts.length === 0 ? t('notCounted') : parts.join(', ')
}

/** Whether the telemetry of the run is whole; it says nothing about the exercises. */
function Recording({ run: { incomplete, status } }: { run: ClinicRun }) {
  const t = useTranslations('console.today')
  if (incomplete === null) return status === 'in_progress' ? t('running') : t('noRecording')
  return incomplete ? t('incomplete') : t('complete')
}
