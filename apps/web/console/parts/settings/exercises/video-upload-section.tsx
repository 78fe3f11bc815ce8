import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Exercise, VideoUpload } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { WorkProgress } from '#ui/feedback/work-progress.tsx'
import { useMegabytes } from '#ui/format/megabytes.ts'
import { IconPlayerPause, IconPlayerPlay, IconUpload } from '#ui/icons/index.ts'
import { useVideoUpload } from './use-video-upload.ts'

const TYPES = 'video/mp4,video/webm,video/quicktime'

interface VideoUploadSectionProps {
  exercise: Pick<Exercise, 'id' | 'video_url'>
  /** Started before: in another tab, or before the page was loaded again. */
  unfinished: VideoUpload | undefined
}

/** Uploads a video with progress. It can be paused, and continues after a reload with the same file. */
export function VideoUploadSection({ exercise, unfinished }: VideoUploadSectionProps) {
  const t = useTranslations('console.settings.video')
  const input = useRef<HTMLInputElement>(null)
  const amount = useAmount()
  const upload = useVideoUpload(exercise.id, unfinished)
  const { status, name, sent, total } = upload
  const [other, setOther] = useState<File>()
  const isBusy = status === 'uploading' || status === 'finishing'
  const choose = (
    <Button
      variant={status === 'idle' && !unfinished && exercise.video_url === null ? 'filled' : 'default'}
      leftSection={<IconUpload size={18} />}
      onClick={() => input.current?.click()}
    >
      {unfinished && status === 'idle' ? t('chooseAgain') : exercise.video_url === null ? t('add') : t('replace')}
    </Button>
  )
  return (
    <Stack align="flex-start">
      {status !== 'idle' && (
        <Stack w="100%" maw={560} gap="xs">
          <WorkProgress
            label={t(status === 'uploading' ? 'uploading' : status === 'finishing' ? 'finishing' : 'paused', { name })}
            done={status === 'finishing' ? undefined : total === 0 ? 0 : sent / total}
          />
          <Text size="sm" c="dimmed">
            {t('amount', amount(sent, total))}
          </Text>
        </Stack>
      )}
      <Problem error={upload.error} />
      {status === 'idle' && unfinished && (
        <Unfinished upload={unfinished} onFinish={() => upload.finish(unfinished.id)} />
      )}
      <Group>
        {!isBusy && status === 'idle' && choose}
        {status === 'uploading' && (
          <Button variant="default" leftSection={<IconPlayerPause size={18} />} onClick={upload.pause}>
            {t('pause')}
          </Button>
        )}
        {status === 'paused' && (
          <Button leftSection={<IconPlayerPlay size={18} />} onClick={upload.resume}>
            {t('resume')}
          </Button>
        )}
        {status !== 'finishing' && (status !== 'idle' || unfinished) && (
          <Button variant="default" onClick={() => void upload.cancel(unfinished?.id)}>
            {t('cancel')}
          </Button>
        )}
      </Group>
      {status === 'idle' && (
        <Text size="sm" c="dimmed">
          {t('types')}
        </Text>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={TYPES}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file && upload.replaces(file)) setOther(file)
          else if (file) void upload.start(file)
        }}
      />
      <Confirm
        open={other !== undefined}
        title={t('replaceAsk')}
        text={t('replaceText', { name: unfinished?.metadata.filename ?? t('unnamed'), other: other?.name ?? '' })}
        action={t('replaceAction')}
        danger
        onConfirm={() => {
          setOther(undefined)
          if (other) void upload.start(other)
        }}
        onClose={() => setOther(undefined)}
      />
    </Stack>
  )
}

function Unfinished({ upload, onFinish }: { upload: VideoUpload; onFinish: () => void }) {
  const t = useTranslations('console.settings.video')
  const format = useFormatter()
  const amount = useAmount()
  const isComplete = upload.offset === upload.length
  const until = format.dateTime(new Date(upload.expires_at), {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (
    <Alert variant="outline" title={t('unfinished', { name: upload.metadata.filename ?? t('unnamed') })}>
      <Stack align="flex-start" gap="xs">
        <Text>
          {isComplete ? t('complete') : t('unfinishedText', { ...amount(upload.offset, upload.length), until })}
        </Text>
        {isComplete && <Button onClick={onFinish}>{t('finish')}</Button>}
      </Stack>
    </Alert>
  )
}

function useAmount() {
  const megabytes = useMegabytes()
  return (sent: number, total: number) => ({
    sent: megabytes(sent, sent === total ? 'ceil' : 'floor'),
    total: megabytes(total, 'ceil'),
  })
}
