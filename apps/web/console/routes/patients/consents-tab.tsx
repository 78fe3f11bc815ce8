import { Badge, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ConsentState } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Instant } from '#ui/format/time.tsx'
import { IconShieldCheck } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'

/** The patient's consents. */
export function ConsentsTab() {
  const t = useTranslations('console.record.consents')
  const tPurposes = useTranslations('ui.purposes')
  const clinic = useClinic()
  const list = useList('GET /v1/organizations/{org_id}/patients/{patient_id}/consents', {
    params: { org_id: clinic.id, patient_id: useParams({ from: '/$clinic/patients/$id' }).id },
  })
  const nameOf = (code: string) => {
    const key = code as 'telerehab'
    return tPurposes.has(key) ? tPurposes(key) : code
  }
  const columns: Column<ConsentState>[] = [
    { key: 'purpose', header: t('purpose'), cell: ({ purpose_code }) => nameOf(purpose_code) },
    {
      key: 'state',
      header: t('state'),
      cell: ({ current }) => (current ? <Badge>{t('given')}</Badge> : <Badge variant="default">{t('notGiven')}</Badge>),
    },
    {
      key: 'since',
      header: t('since'),
      wide: true,
      cell: ({ current }) =>
        current && (
          <>
            <Instant value={current.granted_at} /> · {t('version', { version: current.purpose_version })}
          </>
        ),
    },
    {
      key: 'source',
      header: t('source'),
      wide: true,
      cell: ({ current }) => current && t(`sources.${current.source}`),
    },
    { key: 'basis', header: t('basis'), wide: true, cell: ({ legal_basis }) => t(`bases.${legal_basis}`) },
  ]
  return (
    <Stack>
      <Text c="dimmed">{t('help')}</Text>
      <DataList
        label={t('purpose')}
        list={list}
        columns={columns}
        rowKey={({ purpose_code, organization_id }) => `${purpose_code}${organization_id ?? ''}`}
        empty={<EmptyState icon={IconShieldCheck} title={t('empty')} text={t('emptyText')} />}
      />
    </Stack>
  )
}
