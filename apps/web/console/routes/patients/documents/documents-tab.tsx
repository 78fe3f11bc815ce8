import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ApiError, AppointmentDocument } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useRead } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { Instant } from '#ui/format/time.tsx'
import { IconDownload, IconFileText } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { downloadDocument } from '../../../parts/patients/documents/download.ts'
import { NewDocument } from '../../../parts/patients/documents/new-document.tsx'

/** The patient's PDF documents. */
export function DocumentsTab() {
  const t = useTranslations('console.documents')
  const clinic = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const may = useMay()
  const [making, setMaking] = useState(false)
  const { sort = '-created_at', page } = useSearch({ from: '/$clinic/patients/$id/documents' })
  const patient = useRead('GET /v1/patients/{id}', { params: { id } })
  const profile = patient.data?.data.patient_profile_id
  const list = useList(
    'GET /v1/appointment-documents',
    { query: { patient_profile_id: profile ?? '', sort, page, limit: LIST_PAGE_SIZE } },
    { enabled: profile !== undefined },
  )
  const download = useMutation<void, ApiError, AppointmentDocument>({
    mutationFn: (one) => downloadDocument(clinic.id, one.id, `${one.kind}-${one.created_at.slice(0, 10)}.pdf`),
  })
  const columns: Column<AppointmentDocument>[] = [
    { key: 'kind', header: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    { key: 'created_at', header: t('made'), cell: ({ created_at }) => <Instant value={created_at} /> },
    { key: 'pages', header: t('pages'), wide: true, align: 'end', cell: ({ pages }) => pages },
    { key: 'code', header: t('code'), wide: true, cell: ({ verification_code }) => verification_code },
    {
      key: 'download',
      header: t('download'),
      hideHeader: true,
      align: 'end',
      cell: (one) => (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} />}
          aria-label={`${t('download')}: ${t(`kinds.${one.kind}`)}`}
          loading={download.isPending && download.variables.id === one.id}
          onClick={() => download.mutate(one)}
        >
          {t('download')}
        </Button>
      ),
    },
  ]
  const make = may('documents.create') && (
    <Button leftSection={<IconFileText size={18} />} onClick={() => setMaking(true)}>
      {t('make')}
    </Button>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('help')}
        </Text>
        {(list.data?.total ?? 0) > 0 && make}
      </Group>
      <Problem error={download.error} />
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={(one) => one.id}
        empty={<EmptyState icon={IconFileText} title={t('empty')} text={t('emptyText')} action={make} />}
      />
      {profile !== undefined && (
        <NewDocument patientId={id} profileId={profile} open={making} onClose={() => setMaking(false)} />
      )}
    </Stack>
  )
}
