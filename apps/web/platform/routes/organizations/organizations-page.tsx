import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import type { Organization } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { LIST_PAGE_SIZE } from '#ui/data-list/list-search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Instant } from '#ui/format/time.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { IconBuildingHospital, IconPlus } from '#ui/icons/index.ts'
import { NewOrganization } from '../../parts/organizations/new-organization.tsx'

export function OrganizationsPage() {
  const t = useTranslations('platform.organizations')
  const { q, sort, page } = useSearch({ from: '/operator/' })
  const list = useList('GET /v1/organizations', { query: { q, sort, page, limit: LIST_PAGE_SIZE } })
  const [creating, setCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setCreating(true)}>
      {t('new')}
    </Button>
  )
  const columns: Column<Organization>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <TextLink to="/organizations/$id" params={{ id }}>
          {name}
        </TextLink>
      ),
    },
    { key: 'slug', header: t('slug'), wide: true, cell: ({ slug }) => slug },
    { key: 'plan', header: t('plan'), cell: ({ plan }) => t(`plans.${plan}`) },
    {
      key: 'created_at',
      header: t('created'),
      sort: 'created_at',
      wide: true,
      cell: ({ created_at }) => <Instant value={created_at} />,
    },
  ]
  return (
    <Page title={t('title')} actions={create}>
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        searchLabel={t('search')}
        empty={<EmptyState icon={IconBuildingHospital} title={t('empty')} text={t('emptyText')} action={create} />}
      />
      <NewOrganization open={creating} onClose={() => setCreating(false)} />
    </Page>
  )
}
