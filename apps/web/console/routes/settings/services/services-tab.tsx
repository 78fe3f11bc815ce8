import { Badge, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useLoaderDeps } from '@tanstack/react-router'
import type { Service } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { usePrice } from '#ui/format/money.ts'
import { IconBriefcase, IconPlus } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { ServiceDialog } from '../../../parts/settings/services/service-dialog.tsx'

/** What the clinic offers, and what patients can book. */
export function ServicesTab() {
  const t = useTranslations('console.settings.services')
  const tVisits = useTranslations('console.record.appointments')
  const priceOf = usePrice()
  const mayManage = useMay()('services.manage')
  const query = useLoaderDeps({ from: '/$clinic/settings/services' })
  const [open, setOpen] = useState<Service | 'new'>()
  const list = useList('GET /v1/services', { query })
  const columns: Column<Service>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      cell: (service) =>
        mayManage ? (
          <UnstyledButton fw={600} c="var(--mantine-color-anchor)" onClick={() => setOpen(service)}>
            {service.name}
          </UnstyledButton>
        ) : (
          service.name
        ),
    },
    {
      key: 'duration',
      header: t('duration'),
      sort: 'duration_minutes',
      cell: ({ duration_minutes }) => t('durationValue', { minutes: duration_minutes }),
    },
    {
      key: 'price',
      header: t('price'),
      wide: true,
      cell: ({ price_cents, currency }) => priceOf(price_cents, currency),
    },
    {
      key: 'modes',
      header: tVisits('mode'),
      wide: true,
      cell: ({ modes }) => modes.map((mode) => tVisits(`modes.${mode}`)).join(', '),
    },
    {
      key: 'online',
      header: t('online'),
      wide: true,
      cell: ({ is_public, status }) => (
        <Badge variant="dot" color={status === 'archived' ? 'gray' : is_public ? 'tendon' : 'orange'}>
          {status === 'archived' ? t('archived') : is_public ? t('onlineYes') : t('onlineNo')}
        </Badge>
      ),
    },
  ]
  const add = mayManage && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setOpen('new')}>
      {t('add')}
    </Button>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('help')}
        </Text>
        {(list.data?.total ?? 0) > 0 && add}
      </Group>
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={IconBriefcase} title={t('empty')} text={t('emptyText')} action={add} />}
      />
      <ServiceDialog service={open} onClose={() => setOpen(undefined)} />
    </Stack>
  )
}
