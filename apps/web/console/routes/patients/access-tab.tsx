import { Stack, Text } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import type { AuditLogEntry } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList, useRead } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Instant } from '#ui/format/time.tsx'
import { IconEye } from '#ui/icons/index.ts'

/** Who viewed or changed this record. */
export function AccessTab() {
  const t = useTranslations('console.record.access')
  const { sort = '-occurred_at', page } = useSearch({ from: '/$clinic/patients/$id/access' })
  const patient = useRead('GET /v1/patients/{id}', { params: { id: useParams({ from: '/$clinic/patients/$id' }).id } })
  const profile = patient.data?.data.patient_profile_id
  const list = useList(
    'GET /v1/audit-logs',
    { query: { patient_profile_id: profile ?? '', sort, page, limit: LIST_PAGE_SIZE } },
    { enabled: profile !== undefined },
  )
  /** The part of the record: named after a known action, otherwise after the type of its target. */
  const thing = ({ action, target }: AuditLogEntry) => {
    const key = `things.${action.split('.')[0] ?? ''}` as 'things.patient'
    return t.has(key) ? t(key) : target.type.replaceAll('_', ' ')
  }
  const columns: Column<AuditLogEntry>[] = [
    { key: 'who', header: t('who'), cell: ({ actor }) => actor.name ?? t('system') },
    {
      key: 'what',
      header: t('what'),
      cell: (entry) => (
        <>
          {t(`kinds.${entry.crud}`)}: {thing(entry)}
          {entry.reason !== null && ` (${entry.reason})`}
        </>
      ),
    },
    {
      key: 'when',
      header: t('when'),
      sort: 'occurred_at',
      wide: true,
      cell: ({ occurred_at }) => <Instant value={occurred_at} />,
    },
  ]
  return (
    <Stack>
      <Text c="dimmed">{t('help')}</Text>
      <DataList
        label={t('help')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={IconEye} title={t('empty')} />}
      />
    </Stack>
  )
}
