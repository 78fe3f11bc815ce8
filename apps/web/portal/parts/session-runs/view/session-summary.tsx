import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { NewSessionFeedback, RunPayload } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh } from '#ui/api/hooks.ts'
import { IconCircleCheck, IconStretching } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import type { Outbox } from '../run/outbox.ts'
import { countOf, type knownOf } from '../run/player-state.ts'
import classes from './player.module.css'
import { RefusedReports, useRefused, useWaiting } from './refused-reports.tsx'
import { SessionFeedback } from './session-feedback.tsx'
import { useWhen } from './use-when.ts'

interface SessionSummaryProps {
  payload: RunPayload
  outbox: Outbox
  known: ReturnType<typeof knownOf>
  /** The consent to exercising at home was withdrawn during the session. */
  withdrawn?: boolean
}

/** The results of the session, and feedback. */
export function SessionSummary({ payload, outbox, known, withdrawn = false }: SessionSummaryProps) {
  const t = useTranslations('portal.run')
  const { id: organization, slug } = useClinic()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [given, setGiven] = useState(payload.feedback_given)
  /** In this visit of the page. */
  const [isSent, setSent] = useState(false)
  const run = payload.run_id
  const completed = countOf(known.outcomes, 'completed')
  const skipped = countOf(known.outcomes, 'skipped')
  const isWhole = completed === payload.exercises.length
  const repetitions = Object.values(known.repetitions).reduce((sum, count) => sum + count, 0)
  const minutes = known.active_seconds / 60
  const facts = [
    { label: t('summary.exercises'), value: t('summary.of', { done: completed, total: payload.exercises.length }) },
    ...(skipped > 0 ? [{ label: t('summary.skipped'), value: String(skipped) }] : []),
    ...(repetitions > 0 ? [{ label: t('summary.repetitions'), value: String(repetitions) }] : []),
    ...(minutes > 0
      ? [{ label: t('summary.minutes'), value: minutes < 1 ? '<\u00a01' : String(Math.round(minutes)) }]
      : []),
  ]
  const toToday = () => void navigate({ to: '/$clinic', params: { clinic: slug } })
  /** After the reports of the session, because feedback ends the run, and later reports would be refused. */
  const send = async (body: NewSessionFeedback) => {
    await outbox.add({ kind: 'feedback', organization, run, body })
    setGiven(true)
    setSent(true)
  }
  const isWaiting = useWaiting(outbox) > 0
  const isWithdrawn = !payload.telerehab_consent || withdrawn
  const isRefused = useRefused(outbox).some((entry) => entry.run === run)
  useWhen(isSent && !isWaiting && !isRefused, () => {
    void refresh(['/v1/me/today', '/v1/me/session-runs']).then(toToday)
  })
  return (
    <div className={classes.player} data-phase="done">
      <div className={classes.body}>
        <Stack gap="lg">
          <div className={classes.doneTitle}>
            {isWhole ? <IconCircleCheck size={56} /> : <IconStretching size={56} />}
            <Title order={1} data-next tabIndex={-1}>
              {isWhole ? t('summary.well') : t('summary.ended')}
            </Title>
          </div>
          <dl className={classes.facts}>
            {facts.map(({ label, value }) => (
              <Paper key={label} withBorder p="md" component="div">
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Paper>
            ))}
          </dl>
          <Text role="status" c="dimmed">
            {isWaiting ? t('summary.unsent') : !isRefused && t('summary.sent')}
            {isWaiting && given && ` ${t('summary.answersWait')}`}
          </Text>
          <RefusedReports outbox={outbox} isShown={(entry) => entry.run === run} />
          {isWithdrawn && <Text fw={600}>{t('summary.withdrawn')}</Text>}
          {given || isWithdrawn ? (
            <Button size="lg" variant="default" onClick={toToday}>
              {t('summary.back')}
            </Button>
          ) : (
            <SessionFeedback worst={known.worst_pain} onSend={send} onLeave={toToday} />
          )}
        </Stack>
      </div>
    </div>
  )
}
