import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconPlayerPlay } from '#ui/icons/index.ts'
import type { Session } from '../run/session.ts'
import { CameraPreview } from './camera-preview.tsx'
import { CameraProblemText } from './camera-problem.tsx'
import { ExerciseVideo } from './exercise-video.tsx'
import classes from './player.module.css'
import { usePrescription } from './use-prescription.ts'
import { useCamera, usePlayer } from './use-session.ts'

const silent = () => {}

/** Instructions for the next exercise. */
export function Prepare({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const { language } = useLanguage()
  const prescription = usePrescription()
  const state = usePlayer(session)
  const camera = useCamera(session)
  const { player, payload } = session
  const exercise = player.current()
  const followed = exercise.pose_config !== null
  const starting = camera.kind === 'starting' && followed
  return (
    <Stack gap="md">
      <div>
        <Text c="dimmed" fw={600}>
          {t('exerciseOf', { number: state.index + 1, total: payload.exercises.length })}
        </Text>
        <Title order={1}>{exercise.name}</Title>
        <Text size="lg">{prescription(exercise)}</Text>
        {(state.set > 1 || state.reps > 0) && (
          <Text fw={600}>{t('goesOnWithSet', { number: state.set, total: exercise.sets, count: state.reps })}</Text>
        )}
      </div>
      <div className={classes.stage} data-two={camera.kind === 'on' && followed && exercise.video_url !== null}>
        <ExerciseVideo key={exercise.id} exercise={exercise} playing={!state.paused} tell={silent} />
        {camera.kind === 'on' && followed && <CameraPreview stream={camera.stream} points={session.points} />}
      </div>
      <CameraProblemText session={session} />
      <div className={classes.actions}>
        <Button
          size="xl"
          fullWidth
          data-next
          loading={starting}
          leftSection={<IconPlayerPlay />}
          onClick={player.ready}
          disabled={state.paused}
        >
          {t('begin')}
        </Button>
        <div role="status">{starting && <Text ta="center">{t('cameraStarting')}</Text>}</div>
      </div>
      {camera.kind === 'on' && followed && (
        <Text fw={600}>{placeOf(exercise.pose_config, language) ?? t('cameraPlace')}</Text>
      )}
      {exercise.notes && <Text fw={600}>{exercise.notes}</Text>}
      {exercise.instructions.length > 0 ? (
        <ol className={classes.instructions}>
          {exercise.instructions.map(({ id, title, content, instruction_type }) => (
            <li key={id} data-type={instruction_type}>
              {title && <b>{title}. </b>}
              {content}
            </li>
          ))}
        </ol>
      ) : (
        exercise.instructions_summary && <Text>{exercise.instructions_summary}</Text>
      )}
      <Button variant="subtle" size="md" onClick={player.skip} className={classes.quiet}>
        {t('skip')}
      </Button>
    </Stack>
  )
}

/** Where to place the device, from the exercise's text. */
function placeOf(config: Record<string, unknown> | null, language: string): string | undefined {
  const texts = (config?.camera as { text?: Record<string, string> } | null | undefined)?.text
  return texts?.[language] ?? texts?.en
}
