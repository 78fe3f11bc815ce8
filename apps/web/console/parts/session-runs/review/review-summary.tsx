import { Table, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import type { RunAnalytics } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Pain } from '../pain.tsx'
import classes from './review.module.css'

type Result = RunAnalytics['exercise_results'][number]

/** What the patient said about the session, and what they did of the prescribed dose. */
export function ReviewSummary({ runId }: { runId: string }) {
  const run = useRead('GET /v1/session-runs/{runId}/analytics', { params: { runId } })
  return (
    <Loaded query={run}>
      {({ data }) => (
        <div className={classes.summary}>
          <Said run={data} />
          <Doses run={data} />
        </div>
      )}
    </Loaded>
  )
}

function Said({ run: { feedback, pain_reports } }: { run: RunAnalytics }) {
  const t = useTranslations('console.review')
  const reported = pain_reports.map(({ severity }) => severity)
  const worst = [...reported, ...(feedback ? [feedback.pain] : [])]
  return (
    <section aria-labelledby="review-said">
      <Title order={2} id="review-said" mb="sm">
        {t('said.title')}
      </Title>
      {feedback === null && worst.length === 0 ? (
        <Text c="dimmed">{t('said.nothing')}</Text>
      ) : (
        <dl className={classes.said}>
          <dt>{t('said.exertion')}</dt>
          <dd>{feedback === null ? t('said.noAnswer') : t('said.score', { value: feedback.perceived_exertion })}</dd>
          <dt>{t('said.pain')}</dt>
          <dd>{worst.length === 0 ? t('said.noAnswer') : <Pain value={Math.max(...worst)} />}</dd>
          <dt>{t('said.words')}</dt>
          <dd className={classes.words}>{feedback?.comment ?? t('said.noAnswer')}</dd>
        </dl>
      )}
    </section>
  )
}

/** The prescribed dose beside what the camera measured and what the patient counted. */
function Doses({ run }: { run: RunAnalytics }) {
  const t = useTranslations('console.review')
  const prescription = usePrescribed()
  const measuredText = ({ pose }: Result) =>
    pose?.measured ? t('count', { count: pose.repetitions ?? 0 }) : t('doses.notMeasured')
  const tappedText = ({ reps, repetitions_tapped: tapped }: Result) => {
    // Nothing is counted in an exercise that is done for a time.
    if (reps === null && !tapped) return '–'
    return tapped === null ? t('doses.notReported') : t('count', { count: tapped })
  }
  return (
    <section aria-labelledby="review-doses">
      <Title order={2} id="review-doses" mb="sm">
        {t('doses.title')}
      </Title>
      <Text mb="xs">
        {t('doses.done', { done: run.exercises.completed, total: run.exercises.total })}
        {' · '}
        {t('doses.minutes', { minutes: run.active_seconds < 60 ? 0 : Math.round(run.active_seconds / 60) })}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a phone it scrolls, also by keyboard */}
      <div className={classes.wide} role="group" aria-labelledby="review-doses" tabIndex={0}>
        <Table verticalSpacing={4} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('doses.exercise')}</Table.Th>
              <Table.Th scope="col">{t('doses.prescribed')}</Table.Th>
              <Table.Th scope="col">{t('doses.measured')}</Table.Th>
              <Table.Th scope="col">{t('doses.tapped')}</Table.Th>
              <Table.Th scope="col">{t('doses.outcome')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {run.exercise_results.map((result) => (
              <Table.Tr key={result.session_exercise_id}>
                <Table.Th scope="row">{result.exercise_name}</Table.Th>
                <Table.Td>{prescription(result)}</Table.Td>
                <Table.Td>{measuredText(result)}</Table.Td>
                <Table.Td>{tappedText(result)}</Table.Td>
                <Table.Td>{t(`outcomes.${result.outcome ?? 'open'}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

function usePrescribed(): (result: Result) => string {
  const t = useTranslations('console.review')
  return ({ sets, reps, hold_seconds, side }) =>
    [
      reps === null ? t('doses.sets', { count: sets }) : `${sets} × ${reps}`,
      ...(hold_seconds === null ? [] : [t('doses.hold', { count: hold_seconds })]),
      ...(side === null ? [] : [t(`doses.sides.${side}`)]),
    ].join(', ')
}
