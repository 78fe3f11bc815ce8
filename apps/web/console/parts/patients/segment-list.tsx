import { Button, Group, Text } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { SegmentMember } from '@tendon/sdk'
import { type ReactNode, useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useRead } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE, useChangeSearch } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Ago } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { IconUsers } from '#ui/icons/index.ts'
import { useRememberList } from '#ui/record/list-neighbours.ts'
import { useClinic } from '#ui/session/clinic.tsx'

/** The patients of a segment: a view that the clinic has saved, with rules. */
export function SegmentList({ id, filters }: { id: string; filters: ReactNode }) {
  const t = useTranslations('console.patients')
  const { slug } = useClinic()
  const { page } = useSearch({ from: '/$clinic/patients' })
  const change = useChangeSearch()
  const segment = useRead('GET /v1/segments/{id}', { params: { id } })
  const list = useList('GET /v1/segments/{id}/members', { params: { id }, query: { page, per_page: LIST_PAGE_SIZE } })
  const rows = list.data?.items
  const rememberList = useRememberList()
  useEffect(() => rememberList(rows?.map(({ patient_id }) => patient_id) ?? []), [rows, rememberList])
  const columns: Column<SegmentMember>[] = [
    {
      key: 'name',
      header: t('name'),
      cell: ({ patient_id, name }) => (
        <TextLink to="/$clinic/patients/$id" params={{ clinic: slug, id: patient_id }}>
          {name}
        </TextLink>
      ),
    },
    { key: 'email', header: t('email'), wide: true, cell: ({ email }) => email },
    { key: 'since', header: t('since'), cell: ({ matched_at }) => <Ago value={matched_at} /> },
  ]
  const description = segment.data?.data.description
  return (
    <>
      <Group gap="sm">
        {filters}
        {description && <Text c="dimmed">{description}</Text>}
      </Group>
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={({ patient_id }) => patient_id}
        empty={
          <EmptyState
            icon={IconUsers}
            title={t('emptySegment')}
            text={t('emptySegmentText')}
            action={
              <Button variant="default" onClick={() => change({ view: undefined })}>
                {t('views.all')}
              </Button>
            }
          />
        }
      />
    </>
  )
}
