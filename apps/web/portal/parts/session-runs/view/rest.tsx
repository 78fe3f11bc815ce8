import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconPlayerSkipForward } from '#ui/icons/index.ts'
import type { Session } from '../run/session.ts'
import classes from './player.module.css'
import { Ring } from './ring.tsx'
import { usePlayer } from './use-session.ts'
import { useTimer } from './use-timer.ts'

/** The rest between two sets. The next set starts automatically. */
export function Rest({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const state = usePlayer(session)
  const { player } = session
  const exercise = player.current()
  const seconds = Math.max(1, exercise.rest_seconds)
  const left = useTimer(seconds, !state.paused, player.ready, `rest ${exercise.id} ${state.set}`)
  return (
    <Stack gap="md" align="center">
      <div className={classes.workTitle}>
        <Title order={1}>{t('rest')}</Title>
        <Text c="dimmed" fw={600}>
          {t('nextSet', { number: state.set + 1, total: exercise.sets, name: exercise.name })}
        </Text>
      </div>
      <Ring share={left / seconds}>
        <span className={classes.number} role="timer">
          {Math.ceil(left)}
        </span>
        <span>{t('secondsLeft')}</span>
      </Ring>
      <Button
        size="xl"
        variant="default"
        data-next
        leftSection={<IconPlayerSkipForward />}
        onClick={player.ready}
        disabled={state.paused}
      >
        {t('goOn')}
      </Button>
    </Stack>
  )
}
