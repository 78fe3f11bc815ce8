import { Button } from '@mantine/core'
import { useParams, useSearch } from '@tanstack/react-router'
import type { FormSummary } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useRead } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { translatedTitle } from '#ui/field-form/translated.ts'
import { Instant } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { AssignForm } from '../../../parts/patients/forms/assign-form.tsx'
import { FormState } from '../../../parts/patients/forms/corrections.tsx'

export function FormsTab() {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const { language } = useLanguage()
  const may = useMay()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const { sort = '-created_at', page } = useSearch({ from: '/$clinic/patients/$id/forms' })
  const [assigning, setAssigning] = useState(false)
  const patient = useRead('GET /v1/patients/{id}', { params: { id } })
  const profile = patient.data?.data.patient_profile_id
  const list = useList(
    'GET /v1/forms',
    { query: { patient_profile_id: profile ?? '', sort, page, limit: LIST_PAGE_SIZE } },
    { enabled: profile !== undefined },
  )
  const columns: Column<FormSummary>[] = [
    {
      key: 'title',
      header: t('title'),
      sort: 'title',
      cell: (form) => (
        <TextLink to="/$clinic/patients/$id/forms/$formId" params={{ clinic: slug, id, formId: form.id }}>
          {translatedTitle(form, language)}
        </TextLink>
      ),
    },
    {
      key: 'status',
      header: t('status'),
      sort: 'status',
      cell: (form) => <FormState form={form} />,
    },
    { key: 'type', header: t('type'), wide: true, cell: ({ type }) => t(`types.${type}`) },
    {
      key: 'created_at',
      header: t('date'),
      sort: 'created_at',
      wide: true,
      cell: ({ created_at }) => <Instant value={created_at} />,
    },
  ]
  const action = may('forms.create') && <Button onClick={() => setAssigning(true)}>{t('assign')}</Button>
  return (
    <>
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={(form) => form.id}
        empty={<EmptyState title={t('empty')} text={t('emptyText')} action={action} />}
      />
      {patient.data && <AssignForm patient={patient.data.data} open={assigning} onClose={() => setAssigning(false)} />}
    </>
  )
}
