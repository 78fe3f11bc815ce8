import { Stack, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { BackLink } from '#ui/frame/links.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { VideoUploadSection } from '../../../parts/settings/exercises/video-upload-section.tsx'

/** An exercise of the clinic, with its video. */
export function ExerciseTab() {
  const t = useTranslations('console.settings')
  const { slug } = useClinic()
  const id = useParams({ from: '/$clinic/settings/exercises/$exerciseId' }).exerciseId
  const exercise = useRead('GET /v1/exercises/{id}', { params: { id } })
  const uploads = useRead('GET /v1/exercises/{id}/video/uploads', { params: { id } }, { staleTime: 0 })
  const found = exercise.data?.data
  return (
    <Stack>
      <BackLink to="/$clinic/settings/exercises" params={{ clinic: slug }}>
        {t('exercises.back')}
      </BackLink>
      <Problem
        error={exercise.error ?? uploads.error}
        onRetry={() => void Promise.all([exercise.refetch(), uploads.refetch()])}
      />
      {(!found || !uploads.data) && !exercise.error && !uploads.error && <Skeletons rows={3} />}
      {found && (
        <>
          <Title order={2}>{found.name}</Title>
          <Title order={3}>{t('video.title')}</Title>
          <Text>{videoText()}</Text>
          {found.organization_id === null && <Text>{t('video.shared')}</Text>}
          {found.organization_id !== null && uploads.data && (
            <VideoUploadSection exercise={found} unfinished={uploads.data.data[0]} />
          )}
        </>
      )}
    </Stack>
  )

  function videoText(): string {
    if (!found || found.video_url === null) return t('video.none')
    const seconds = found.video_duration_seconds
    return seconds === null ? t('video.present') : t('video.length', { seconds: Math.max(1, Math.round(seconds)) })
  }
}
