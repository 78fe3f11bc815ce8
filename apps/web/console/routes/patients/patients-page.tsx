import { Button } from '@mantine/core'
import { useLoaderDeps, useNavigate, useSearch } from '@tanstack/react-router'
import type { PatientSummary } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Day } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { IconUserPlus } from '#ui/icons/index.ts'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import { useRememberList } from '#ui/record/list-neighbours.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { ExportPatients } from '../../parts/patients/export-patients.tsx'
import { NewPatient } from '../../parts/patients/new-patient.tsx'
import { SegmentList } from '../../parts/patients/segment-list.tsx'
import { ViewSelect } from '../../parts/patients/view-select.tsx'
import { isSegment } from '../../parts/patients/views.ts'

export function PatientsPage() {
  const t = useTranslations('console.patients')
  const may = useMay()
  const { slug } = useClinic()
  const { sort: order, new: adds } = useSearch({ from: '/$clinic/patients' })
  const navigate = useNavigate({ from: '/$clinic/patients' })
  const { view, query } = useLoaderDeps({ from: '/$clinic/patients' })
  const { page, limit, ...shown } = query
  const [text, setText] = useState('')
  const ofSegment = isSegment(view)
  const filter = { ...(text === '' ? {} : { q: text }), ...shown }
  const list = useList('GET /v1/patients', { query: { ...filter, page, limit } }, { enabled: !ofSegment })
  const rows = list.data?.items
  const rememberList = useRememberList()
  useEffect(() => {
    if (!ofSegment) rememberList(rows?.map(({ id }) => id) ?? [])
  }, [rows, ofSegment, rememberList])
  const mayAdd = may('patients.onboard')
  const setAdding = (isAdding: boolean) =>
    void navigate({ search: (before) => ({ ...before, new: isAdding ? 'yes' : undefined }), replace: !isAdding })
  useKeys(mayAdd ? { n: () => setAdding(true) } : {})
  const add = mayAdd && (
    <Button leftSection={<IconUserPlus size={18} />} onClick={() => setAdding(true)}>
      {t('new')}
    </Button>
  )
  const columns: Column<PatientSummary>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'last_name',
      cell: ({ id, name }) => (
        <TextLink to="/$clinic/patients/$id" params={{ clinic: slug, id }}>
          {name}
        </TextLink>
      ),
    },
    { key: 'phone', header: t('phone'), cell: ({ phone }) => phone },
    { key: 'email', header: t('email'), wide: true, cell: ({ email }) => email },
    {
      key: 'birth_date',
      header: t('birthDate'),
      sort: 'birth_date',
      wide: true,
      cell: ({ birth_date }) => birth_date && <Day value={birth_date} />,
    },
    { key: 'status', header: t('status'), wide: true, cell: ({ status }) => t(`statuses.${status}`) },
  ]
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {!ofSegment && (list.data?.total ?? 0) > 0 && <ExportPatients query={filter} />}
          {add}
        </>
      }
    >
      {ofSegment ? (
        <SegmentList id={view} filters={<ViewSelect view={view} sort={order} />} />
      ) : (
        <DataList
          label={t('title')}
          list={list}
          columns={columns}
          rowKey={({ id }) => id}
          searchLabel={t('search')}
          privateSearch={{ value: text, onChange: setText }}
          filters={<ViewSelect view={view} sort={order} />}
          filterNames={['view']}
          empty={<EmptyState icon={IconUserPlus} title={t('empty')} text={t('emptyText')} action={add} />}
        />
      )}
      <NewPatient open={mayAdd && adds === 'yes'} onClose={() => setAdding(false)} />
    </Page>
  )
}
