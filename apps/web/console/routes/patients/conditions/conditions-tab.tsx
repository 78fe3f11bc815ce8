import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { AffectedPlan, PatientCondition } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWholeList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Day } from '#ui/format/time.tsx'
import { IconFirstAidKit } from '#ui/icons/index.ts'
import { useMay } from '#ui/session/me.ts'
import { AffectedPlans } from '../../../parts/patients/conditions/affected-plans.tsx'
import { ConditionDialog } from '../../../parts/patients/conditions/condition-dialog.tsx'

/** The patient's conditions with stage and clearance. The safety check uses them. */
export function ConditionsTab() {
  const t = useTranslations('console.record.conditions')
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const mayChange = useMay()('treatment_plans.manage')
  const [open, setOpen] = useState<PatientCondition | 'new'>()
  const [affected, setAffected] = useState<AffectedPlan[]>([])
  const list = useWholeList('GET /v1/patients/{id}/conditions', { params: { id } })
  const add = mayChange && <Button onClick={() => setOpen('new')}>{t('add')}</Button>
  const columns: Column<PatientCondition>[] = [
    {
      key: 'condition',
      header: t('condition'),
      cell: (row) => (
        <Stack gap={2}>
          <Text component="span" fw={600}>
            {row.condition.name}
          </Text>
          <Text component="span" size="sm" c="dimmed">
            {row.condition.icd10_code} {row.note !== null && ` · ${row.note}`}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'status',
      header: t('status'),
      cell: ({ status }) => (
        <Badge variant={status === 'active' ? 'filled' : 'default'}>{t(`statuses.${status}`)}</Badge>
      ),
    },
    {
      key: 'stage',
      header: t('stage'),
      wide: true,
      cell: ({ stage }) => (stage ? t(`stages.${stage}`) : t('noStage')),
    },
    {
      key: 'cleared',
      header: t('cleared'),
      wide: true,
      cell: ({ cleared_for }) => cleared_for.map((one) => t(`clearances.${one}`)).join(', '),
    },
    { key: 'since', header: t('since'), wide: true, cell: ({ since }) => since && <Day value={since} /> },
    ...(mayChange
      ? [
          {
            key: 'change',
            header: t('change'),
            hideHeader: true,
            align: 'end' as const,
            cell: (row: PatientCondition) => (
              <Button
                variant="default"
                size="xs"
                aria-label={`${t('change')}: ${row.condition.name}`}
                onClick={() => setOpen(row)}
              >
                {t('change')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('help')}
        </Text>
        {(list.data?.total ?? 0) > 0 && add}
      </Group>
      <AffectedPlans plans={affected} />
      <DataList
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<EmptyState icon={IconFirstAidKit} title={t('empty')} text={t('emptyText')} action={add} />}
      />
      <ConditionDialog of={open} onClose={() => setOpen(undefined)} onSaved={setAffected} />
    </Stack>
  )
}
