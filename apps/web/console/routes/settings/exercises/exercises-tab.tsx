import { Button, Group, Stack, Text } from '@mantine/core'
import { useLoaderDeps } from '@tanstack/react-router'
import type { ExerciseSummary } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { type Column, DataList } from '#ui/data-list/data-list.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { TextLink } from '#ui/frame/links.tsx'
import { IconPlus, IconStretching } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { NewExercise } from '../../../parts/settings/exercises/new-exercise.tsx'

/** Exercises that only this clinic has. */
export function ExercisesTab() {
  const t = useTranslations('console.settings.exercises')
  const { slug } = useClinic()
  const query = useLoaderDeps({ from: '/$clinic/settings/exercises' })
  const [adding, setAdding] = useState(false)
  const list = useList('GET /v1/exercises', { query })
  const columns: Column<ExerciseSummary>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      cell: ({ id, name }) => (
        <TextLink to="/$clinic/settings/exercises/$exerciseId" params={{ clinic: slug, exerciseId: id }}>
          {name}
        </TextLink>
      ),
    },
    {
      key: 'video',
      header: t('video'),
      cell: ({ video_url }) => (video_url === null ? t('noVideo') : t('hasVideo')),
    },
    { key: 'status', header: t('status'), wide: true, cell: ({ status }) => t(`statuses.${status}`) },
  ]
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
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
        empty={<EmptyState icon={IconStretching} title={t('empty')} text={t('emptyText')} action={add} />}
      />
      <NewExercise open={adding} onClose={() => setAdding(false)} />
    </Stack>
  )
}
