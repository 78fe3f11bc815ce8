import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconCamera } from '#ui/icons/index.ts'
import { minutesOf } from '../run/duration.ts'
import type { Session } from '../run/session.ts'
import { CameraProblemText } from './camera-problem.tsx'
import { ExerciseList } from './exercise-list.tsx'
import classes from './player.module.css'
import { usePlayer } from './use-session.ts'
import { useStartCamera } from './use-start-camera.ts'

/** The exercises of the session, and the choice whether the camera counts. */
export function Overview({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const startCamera = useStartCamera(session)
  const state = usePlayer(session)
  const { payload, player } = session
  const open = payload.exercises.filter(({ id }) => state.outcomes[id] === undefined)
  const canSee = open.some(({ pose_config }) => pose_config !== null)
  const resumed = open.length < payload.exercises.length || session.isResumed
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
      <ExerciseList exercises={payload.exercises} outcomes={state.outcomes} />
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
