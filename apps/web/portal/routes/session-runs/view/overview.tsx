import { Button, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconCamera, IconCircleCheck, IconPlayerSkipForward, IconStretching } from '../../../../ui/icons/index.ts'
import { minutesOf } from '../run/duration.ts'
import type { Session } from '../run/session.ts'
import { CameraProblemText } from './camera-problem.tsx'
import classes from './player.module.css'
import { usePrescription } from './use-prescription.ts'
import { usePlayer } from './use-session.ts'
import { useStartCamera } from './use-start-camera.ts'

/** The exercises of the session, and the choice whether the camera counts. */
export function Overview({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const prescription = usePrescription()
  const startCamera = useStartCamera(session)
  const state = usePlayer(session)
  const { payload, player } = session
  const open = payload.exercises.filter(({ id }) => state.outcomes[id] === undefined)
  const canSee = open.some(({ pose_config }) => pose_config !== null)
  const resumed = open.length < payload.exercises.length
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{payload.session.title}</Title>
        <Text c="dimmed" size="lg">
          {t('about', { count: open.length, minutes: minutesOf(open) })}
        </Text>
      </div>
      {payload.session.notes && <Text>{payload.session.notes}</Text>}
      {resumed && <Text fw={600}>{t('goesOn')}</Text>}
      <ol className={classes.list}>
        {payload.exercises.map((exercise) => (
          <li key={exercise.id} data-done={state.outcomes[exercise.id] !== undefined}>
            {exercise.video_thumbnail_url ? (
              <img src={exercise.video_thumbnail_url} alt="" width={72} height={54} />
            ) : (
              <span className={classes.noPicture}>
                <IconStretching size={28} />
              </span>
            )}
            <span>
              <Text fw={650}>{exercise.name}</Text>
              <Text c="dimmed">{prescription(exercise)}</Text>
            </span>
            {state.outcomes[exercise.id] === 'completed' && (
              <span>
                <IconCircleCheck size={28} /> <VisuallyHidden>{t('isDone')}</VisuallyHidden>
              </span>
            )}
            {state.outcomes[exercise.id] === 'skipped' && (
              <span>
                <IconPlayerSkipForward size={28} /> <VisuallyHidden>{t('isSkipped')}</VisuallyHidden>
              </span>
            )}
          </li>
        ))}
      </ol>
      {canSee && <Text c="dimmed">{t('cameraText')}</Text>}
      <CameraProblemText session={session} />
      <Stack gap="xs" className={classes.actions}>
        {canSee ? (
          <>
            <Button
              size="lg"
              data-next
              leftSection={<IconCamera />}
              onClick={() => void startCamera().then((may) => may && player.start())}
            >
              {t('startWithCamera')}
            </Button>
            <Button size="lg" variant="default" onClick={player.start}>
              {t('startWithout')}
            </Button>
          </>
        ) : (
          <Button size="lg" data-next onClick={player.start}>
            {t('start')}
          </Button>
        )}
      </Stack>
    </Stack>
  )
}
