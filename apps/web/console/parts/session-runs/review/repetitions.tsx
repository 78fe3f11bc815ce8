import { Table, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import type { RunTimeline } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import type { ReviewClock } from './clock.ts'
import classes from './review.module.css'
import { timeText } from './use-marker-text.ts'

/** Every repetition, by exercise. Clicking its time seeks to its working end. */
export function Repetitions({ clock, timeline }: { clock: ReviewClock; timeline: RunTimeline }) {
  const t = useTranslations('console.review')
  const format = useFormatter()
  const counted = timeline.exercises.filter(({ repetitions }) => repetitions.length > 0)
  if (counted.length === 0) return <Text c="dimmed">{t('noRepetitions')}</Text>
  return counted.map(({ session_exercise_id, exercise_name, repetitions }) => (
    <div key={session_exercise_id} className={classes.repetitions}>
      <Title order={3} size="h4">
        {exercise_name}: {t('count', { count: repetitions.length })}
      </Title>
      <Table verticalSpacing={4} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('number')}</Table.Th>
            <Table.Th scope="col">{t('time')}</Table.Th>
            <Table.Th scope="col">{t('range')}</Table.Th>
            <Table.Th scope="col">{t('tempo')}</Table.Th>
            <Table.Th scope="col">{t('target')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {repetitions.map((one) => (
            <Table.Tr key={one.number}>
              <Table.Td>{one.number}</Table.Td>
              <Table.Td>
                <button type="button" className={classes.jump} onClick={() => clock.seek(one.peak_ms)}>
                  {timeText(one.peak_ms)}
                </button>
              </Table.Td>
              <Table.Td>{Math.round(one.range_degrees)}°</Table.Td>
              <Table.Td>{format.number(one.tempo_seconds, { maximumFractionDigits: 2 })} s</Table.Td>
              <Table.Td>{one.reached_target === null ? '–' : one.reached_target ? t('yes') : t('no')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  ))
}
