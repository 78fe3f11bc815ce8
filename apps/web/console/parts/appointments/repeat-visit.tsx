import { Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { NewVisitForm } from './use-new-visit.ts'

const WEEKS = [1, 2, 3, 4] as const
const COUNTS = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26] as const

/** The same time again in the following weeks. */
export function RepeatVisit({ form }: { form: NewVisitForm }) {
  const t = useTranslations('console.visits.repeat')
  const { repeat } = form.values
  return (
    <Stack gap="xs">
      <Group grow align="flex-end">
        <NativeSelect
          {...form.number('repeat.every_weeks')}
          label={t('label')}
          data={[
            { value: '0', label: t('never') },
            ...WEEKS.map((weeks) => ({ value: String(weeks), label: t('every', { weeks }) })),
          ]}
        />
        {repeat.every_weeks !== 0 && (
          <NativeSelect
            {...form.number('repeat.count')}
            label={t('count')}
            data={COUNTS.map((count) => ({ value: String(count), label: String(count) }))}
          />
        )}
      </Group>
      {repeat.every_weeks !== 0 && (
        <Checkbox
          label={t('skip')}
          checked={repeat.on_conflict === 'skip'}
          onChange={(event) =>
            form.set('repeat', { ...repeat, on_conflict: event.currentTarget.checked ? 'skip' : 'fail' })
          }
        />
      )}
    </Stack>
  )
}
