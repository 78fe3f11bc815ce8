import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PatientSummary } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '../../../ui/api/hooks.ts'
import { type Column, DataList } from '../../../ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE, useListSearch } from '../../../ui/data-list/list-search.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Day } from '../../../ui/format/time.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { IconUserPlus } from '../../../ui/icons/index.ts'
import { rememberList } from '../../../ui/record/walk.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { useMay } from '../../../ui/session/me.ts'
import { NewPatient } from './new-patient.tsx'

export function PatientsPage() {
  const t = useTranslations('console.patients')
  const may = useMay()
  const { slug } = useClinic()
  const { sort = 'last_name', page } = useListSearch()
  const [text, setText] = useState('')
  const [adding, setAdding] = useState(false)
  const list = useList('GET /v1/patients', {
    query: { ...(text === '' ? {} : { q: text }), sort, page, limit: LIST_PAGE_SIZE },
  })
  const ids = list.data?.items
  useEffect(() => rememberList(ids?.map(({ id }) => id) ?? []), [ids])
  const add = may('patients.onboard') && (
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
        <Anchor component={Link} to={`/${slug}/patients/${id}`}>
          {name}
        </Anchor>
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
    <Page title={t('title')} actions={add}>
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        searchLabel={t('search')}
        privateSearch={{ value: text, onChange: setText }}
        empty={<EmptyState icon={IconUserPlus} title={t('empty')} text={t('emptyText')} action={add} />}
      />
      <NewPatient open={adding} onClose={() => setAdding(false)} />
    </Page>
  )
}
