import { Button, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { RunPayload } from '@tendon/sdk'
import { useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { IconCircleCheck, IconStretching } from '../../../../ui/icons/index.ts'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import { countOf, knownOf } from '../run/player-state.ts'
import type { Session } from '../run/session.ts'
import { ChoiceRow } from './choice-row.tsx'
import classes from './player.module.css'
import { SEVERITIES } from './severities.ts'

interface SessionSummaryProps {
  payload: RunPayload
  /** Omitted for a run that ended earlier. */
  session?: Session
  /** The number of reports of such a run that the server does not have yet. */
  unsent?: number
}

/** The results of the session, and feedback. */
export function SessionSummary({ payload, session, unsent = 0 }: SessionSummaryProps) {
  const t = useTranslations('portal.run')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const known = session?.player.getState() ?? knownOf(payload)
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
  const toToday = () => void navigate({ to: `/${slug}` })
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
          {session ? <Unsent session={session} /> : unsent > 0 && <Sending waiting={unsent} />}
          <Feedback runId={payload.run_id} worst={known.worst_pain} onDone={toToday} />
        </Stack>
      </div>
    </div>
  )
}

function Unsent({ session: { outbox } }: { session: Session }) {
  return <Sending waiting={useSyncExternalStore(outbox.subscribe, outbox.waiting)} />
}

function Sending({ waiting }: { waiting: number }) {
  const t = useTranslations('portal.run')
  return (
    <Text role="status" c="dimmed">
      {waiting > 0 ? t('summary.unsent') : t('summary.sent')}
    </Text>
  )
}

/** Effort and pain. Both are optional; leaving sends nothing. */
function Feedback({ runId, worst, onDone }: { runId: string; worst: number | null; onDone: () => void }) {
  const t = useTranslations('portal.run')
  const [exertion, setExertion] = useState<number | null>(null)
  const [pain, setPain] = useState<number | null>(worst)
  const [comment, setComment] = useState('')
  const save = useWrite('POST /v1/session-runs/{runId}/feedback', {
    refresh: ['/v1/me/today', '/v1/me/session-runs'],
    onDone,
  })
  const send = () => {
    if (exertion === null || pain === null) return
    const body = { perceived_exertion: exertion, pain, comment: comment.trim() === '' ? null : comment.trim() }
    save.mutate({ params: { runId }, body })
  }
  const choices = SEVERITIES.map((value) => ({ value, label: String(value) }))
  return (
    <Stack gap="lg" component="section" aria-label={t('summary.feedback')}>
      <ChoiceRow
        label={t('summary.exertion')}
        choices={choices}
        chosen={exertion}
        onChoose={setExertion}
        ends={[t('summary.easy'), t('summary.hard')]}
        columns={11}
      />
      <ChoiceRow
        label={t('summary.pain')}
        choices={choices}
        chosen={pain}
        onChoose={setPain}
        ends={[t('pain.none'), t('pain.worst')]}
        columns={11}
      />
      <Textarea
        label={t('summary.comment')}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        autosize
        minRows={2}
        maxLength={1000}
        size="md"
      />
      <Problem error={save.error} />
      <Stack gap="sm">
        <Button size="xl" onClick={send} loading={save.isPending} disabled={exertion === null || pain === null}>
          {t('summary.send')}
        </Button>
        <Button size="lg" variant="subtle" onClick={onDone}>
          {t('summary.without')}
        </Button>
      </Stack>
    </Stack>
  )
}
