import { Button, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { holdOf, type RunExercise, repsOf, workSecondsOf } from '../run/player-state.ts'
import type { Session } from '../run/session.ts'
import { CameraPreview } from './camera-preview.tsx'
import { CameraProblemText } from './camera-problem.tsx'
import { ExerciseVideo } from './exercise-video.tsx'
import classes from './player.module.css'
import { Ring } from './ring.tsx'
import { useAdvice } from './use-advice.ts'
import { useCamera, usePlayer } from './use-session.ts'
import { useTimer } from './use-timer.ts'
import type { TellMedia } from './video-events.ts'

const COUNTDOWN_SECONDS = 3

/** One set: the video, the patient, and the count. */
export function Work({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const state = usePlayer(session)
  const camera = useCamera(session)
  const { player } = session
  const exercise = player.current()
  const running = state.phase === 'work' && !state.paused
  const key = `${exercise.id} ${state.set}`
  const countdown = useTimer(
    COUNTDOWN_SECONDS,
    state.phase === 'countdown' && !state.paused,
    player.beginSet,
    `countdown ${key}`,
  )
  const followed = state.phase === 'work' && session.camera.isFollowing()
  const isCountable = exercise.pose_config !== null && repsOf(exercise) !== null
  const isTooLate = camera.kind === 'on' && isCountable && state.phase === 'work' && !followed
  const isFrozen = camera.kind === 'on' && camera.picture === 'frozen'
  const tell: TellMedia = (event, data) => {
    const { phase, paused } = player.getState()
    if (phase !== 'work' || paused) return
    session.reports.media(event, exercise.id, session.clock.now(), data)
    // If this was the last event of the page, the exercise ends with it, not before.
    player.tick()
  }
  return (
    <Stack gap="md" align="center">
      <div className={classes.workTitle}>
        <Title order={1}>{exercise.name}</Title>
        <Text c="dimmed" fw={600}>
          {t('setOf', { number: state.set, total: exercise.sets })}
          {exercise.side && ` · ${t(`sides.${exercise.side}`)}`}
        </Text>
      </div>
      <div className={classes.stage} data-two={camera.kind === 'on' && exercise.video_url !== null}>
        <ExerciseVideo key={exercise.id} exercise={exercise} playing={running} tell={tell} />
        {camera.kind === 'on' && <CameraPreview stream={camera.stream} points={session.points} />}
      </div>
      <CameraProblemText session={session} />
      <div role="status">
        {isTooLate && <Text>{isAnotherSetCounted(session) ? t('cameraNextSet') : t('cameraNotThisSet')}</Text>}
      </div>
      {state.phase === 'countdown' ? (
        <Ring share={countdown / COUNTDOWN_SECONDS}>
          <span className={classes.number}>{Math.max(1, Math.ceil(countdown))}</span>
          <span>{t('getReady')}</span>
        </Ring>
      ) : repsOf(exercise) === null ? (
        <TimedSet session={session} timerKey={key} running={running} />
      ) : followed && !isFrozen ? (
        <CountedSet session={session} />
      ) : (
        <TappedSet session={session} timerKey={key} running={running} />
      )}
      <div role="status" className={classes.pausedText}>
        {state.paused && <Text fw={650}>{t('pausedText')}</Text>}
      </div>
      {state.phase === 'work' && !state.paused && (
        <Button variant="subtle" size="md" className={classes.quiet} onClick={player.setDone}>
          {t('setDone')}
        </Button>
      )}
    </Stack>
  )
}

/** Whether the camera can count a later set of the session. */
function isAnotherSetCounted({ player, payload }: Session): boolean {
  const { set, outcomes } = player.getState()
  const { id, sets } = player.current()
  const isLater = (one: RunExercise) => one.id !== id && outcomes[one.id] === undefined
  return set < sets || payload.exercises.some((one) => isLater(one) && one.pose_config !== null && repsOf(one) !== null)
}

/** A set with a duration in seconds. */
function TimedSet({ session, timerKey, running }: { session: Session; timerKey: string; running: boolean }) {
  const t = useTranslations('portal.run')
  const seconds = workSecondsOf(session.player.current())
  const left = useTimer(seconds, running, session.player.setDone, `work ${timerKey}`)
  return (
    <Ring share={1 - left / seconds} strong>
      <span className={classes.number} role="timer">
        {Math.ceil(left)}
      </span>
      <span>{t('secondsLeft')}</span>
    </Ring>
  )
}

/** With the camera: it counts, and the ring shows the position of the movement. */
function CountedSet({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const { seen, reps } = usePlayer(session)
  const exercise = session.player.current()
  const advice = useAdvice(seen, reps)
  const reach = seen?.reach ?? 0
  const held = useHeld(reach >= 1)
  const hold = holdOf(exercise)
  return (
    <>
      <Ring share={reach} strong={reach >= 1}>
        <span className={classes.number} role="status" data-testid="count">
          {reps}
        </span>
        <span>{t('ofReps', { count: repsOf(exercise) ?? 0 })}</span>
      </Ring>
      <div className={classes.advice} role="status">
        {advice
          ? t(`advice.${advice}`)
          : hold !== null &&
            held > 0 &&
            (held < hold ? t('holdLeft', { count: Math.ceil(hold - held) }) : t('release'))}
      </div>
    </>
  )
}

/** Seconds since the working end was reached. */
function useHeld(isThere: boolean): number {
  const [held, setHeld] = useState(0)
  useEffect(() => {
    const since = performance.now()
    const timer = setInterval(() => setHeld(isThere ? (performance.now() - since) / 1000 : 0), 200)
    return () => clearInterval(timer)
  }, [isThere])
  return held
}

/** Without the camera, or while its picture stands still: one tap for each repetition. A held repetition counts when its time has passed. */
function TappedSet({ session, timerKey, running }: { session: Session; timerKey: string; running: boolean }) {
  const t = useTranslations('portal.run')
  const { reps } = usePlayer(session)
  const { player } = session
  const exercise = player.current()
  const hold = holdOf(exercise)
  const wanted = repsOf(exercise) ?? 1
  const [holding, setHolding] = useState<number | null>(null)
  const left = useTimer(
    hold ?? 0,
    running && holding === reps,
    () => {
      setHolding(null)
      player.tap()
    },
    `hold ${timerKey} ${reps}`,
  )
  const isHolding = holding === reps
  const said = isHolding ? t('holdFor', { count: hold ?? 0 }) : t('counted', { reps, total: wanted })
  return (
    <>
      <VisuallyHidden role="status">{reps > 0 || isHolding ? said : ''}</VisuallyHidden>
      <button
        type="button"
        data-next
        className={classes.tap}
        disabled={!running || isHolding}
        onClick={() => (hold === null ? player.tap() : setHolding(reps))}
      >
        <Ring share={isHolding && hold ? 1 - left / hold : reps / wanted} strong={isHolding}>
          <span className={classes.number}>{isHolding ? Math.ceil(left) : reps}</span>
          <span>{isHolding ? t('hold') : t('ofReps', { count: wanted })}</span>
        </Ring>
        <span className={classes.tapText}>{hold === null ? t('tapEach') : t('tapHold', { count: hold })}</span>
      </button>
    </>
  )
}
