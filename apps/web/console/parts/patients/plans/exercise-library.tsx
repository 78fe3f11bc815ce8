import { Badge, Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/SimpleGrid.layer.css'
import type { ExerciseSummary } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconPlus, IconSearch } from '#ui/icons/index.ts'
import classes from './plan.module.css'
import { LevelBadge } from './safety-findings.tsx'
import { useSafety } from './use-safety.ts'

interface ExerciseLibraryProps {
  patientId: string
  open: boolean
  /** Resolves when the exercise is in the plan. */
  onAdd: (exercise: ExerciseSummary, name: string) => Promise<void>
  onClose: () => void
}

/** The library next to the plan: search, filters, and the safety findings of each exercise before it is added. */
export function ExerciseLibrary({ patientId, open, onAdd, onClose }: ExerciseLibraryProps) {
  const t = useTranslations('console.plans.library')
  return (
    <Dialog open={open} title={t('title')} onClose={onClose} side size="md">
      <Search patientId={patientId} onAdd={onAdd} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </Dialog>
  )
}

const WAIT_MS = 250
const PAGE = 12
const MAX_EXERCISES = 96
const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const

function Search({ patientId, onAdd }: Pick<ExerciseLibraryProps, 'patientId' | 'onAdd'>) {
  const t = useTranslations('console.plans.library')
  const { language: locale } = useLanguage()
  const nameOf = useExerciseName()
  const [text, setText] = useState('')
  const [filters, setFilters] = useState({ q: '', body_region_id: '', equipment_id: '', difficulty: '' })
  const [limit, setLimit] = useState(PAGE)
  const [added, setAdded] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setFilters((before) => ({ ...before, q: text.trim() })), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const regions = useList('GET /v1/exercise-body-regions')
  const equipment = useList('GET /v1/exercise-equipment')
  const list = useList('GET /v1/exercises', { query: { ...filters, status: 'published', limit } })
  const found = list.data?.items ?? []
  const safety = useSafety(
    patientId,
    found.map(({ id }) => id),
    { alone: true },
  )
  const tags = (items: { id: string; name: string; translations: Record<string, { name?: string }> }[] = []) => [
    { value: '', label: t('any') },
    ...items.map((tag) => ({ value: tag.id, label: tag.translations[locale]?.name ?? tag.name })),
  ]
  const filter = (name: 'body_region_id' | 'equipment_id' | 'difficulty') => ({
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setFilters({ ...filters, [name]: event.currentTarget.value })
      setLimit(PAGE)
    },
  })
  return (
    <Stack>
      <TextInput
        type="search"
        data-autofocus
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={18} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        <NativeSelect label={t('region')} {...filter('body_region_id')} data={tags(regions.data?.items)} />
        <NativeSelect label={t('equipment')} {...filter('equipment_id')} data={tags(equipment.data?.items)} />
        <NativeSelect
          label={t('difficulty')}
          {...filter('difficulty')}
          data={[
            { value: '', label: t('any') },
            ...DIFFICULTIES.map((value) => ({ value, label: t(`difficulties.${value}`) })),
          ]}
        />
      </SimpleGrid>
      <Text role="status" size="sm" c="dimmed" mih={20}>
        {added === '' ? '' : t('added', { name: added })}
      </Text>
      <Problem error={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <Skeletons rows={6} />}
      {list.data?.total === 0 && <Text>{t('nothing')}</Text>}
      <ul className={classes.found}>
        {found.map((exercise) => {
          const level = safety.levelOf(exercise.id)
          const name = nameOf(exercise)
          return (
            <li key={exercise.id}>
              <div style={{ minWidth: 0 }}>
                <Text fw={600}>{name}</Text>
                <Group gap={6}>
                  {level && <LevelBadge level={level} />}
                  <Text size="sm" c="dimmed">
                    {[
                      ...exercise.body_regions.map((tag) => tag.name),
                      ...(exercise.difficulty ? [t(`difficulties.${exercise.difficulty}`)] : []),
                    ].join(' · ')}
                  </Text>
                  {exercise.pose_config?.tracking_enabled && <Badge variant="default">{t('measured')}</Badge>}
                </Group>
              </div>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                aria-label={t('addNamed', { name })}
                disabled={level === 'block'}
                style={{ flex: 'none' }}
                onClick={() => void onAdd(exercise, name).then(() => setAdded(name))}
              >
                {t('add')}
              </Button>
            </li>
          )
        })}
      </ul>
      {(list.data?.total ?? 0) > found.length && limit < MAX_EXERCISES && (
        <Button variant="default" onClick={() => setLimit(limit + PAGE)}>
          {t('more')}
        </Button>
      )}
      {(list.data?.total ?? 0) > found.length && limit >= MAX_EXERCISES && (
        <Text c="dimmed">{t('tooMany', { shown: found.length, total: list.data?.total ?? 0 })}</Text>
      )}
    </Stack>
  )
}

/** An exercise's name in the reader's language, if it has one. */
function useExerciseName(): (exercise: Pick<ExerciseSummary, 'name' | 'translations'>) => string {
  const { language: locale } = useLanguage()
  return ({ name, translations }) => translations[locale]?.name ?? name
}
