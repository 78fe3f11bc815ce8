import { Button, Stack, Text, Textarea } from '@mantine/core'
import type { NewSessionFeedback } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { ChoiceRow } from './choice-row.tsx'
import { SEVERITIES } from './severities.ts'

interface SessionFeedbackProps {
  worst: number | null
  /** Rejects when the device cannot store it. */
  onSend: (feedback: NewSessionFeedback) => Promise<void>
  onLeave: () => void
}

/** Effort and pain. Both are optional; leaving sends nothing. */
export function SessionFeedback({ worst, onSend, onLeave }: SessionFeedbackProps) {
  const t = useTranslations('portal.run')
  const [exertion, setExertion] = useState<number | null>(null)
  const [pain, setPain] = useState<number | null>(worst)
  const [comment, setComment] = useState('')
  const [storing, setStoring] = useState<'no' | 'now' | 'failed'>('no')
  const isComplete = exertion !== null && pain !== null
  const isAnswered = exertion !== null || pain !== worst || comment.trim() !== ''
  useUnsavedGuard(isAnswered && storing !== 'now', { text: () => t('summary.notSent') })
  const send = () => {
    if (exertion === null || pain === null) return
    setStoring('now')
    const feedback = { perceived_exertion: exertion, pain, comment: comment.trim() === '' ? null : comment.trim() }
    onSend(feedback).catch(() => setStoring('failed'))
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
      {isAnswered && !isComplete && <Text>{t('summary.missing')}</Text>}
      {storing === 'failed' && <Text role="alert">{t('summary.notStored')}</Text>}
      <Stack gap="sm">
        <Button size="xl" onClick={send} loading={storing === 'now'} disabled={!isComplete}>
          {t('summary.send')}
        </Button>
        <Button size="lg" variant="subtle" onClick={onLeave}>
          {t('summary.without')}
        </Button>
      </Stack>
    </Stack>
  )
}
