import { ActionIcon, Text } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { IconCamera, IconCameraOff, IconVolume, IconVolumeOff, IconWifiOff, IconX } from '#ui/icons/index.ts'
import { countOf, type Outcome } from '../run/player-state.ts'
import type { Session } from '../run/session.ts'
import { isVoiceMuted } from '../run/voice.ts'
import classes from './player.module.css'
import { useCamera, usePlayer } from './use-session.ts'
import { useStartCamera } from './use-start-camera.ts'

/** The progress of the session, the switches for voice and camera, and the button to leave. */
export function PlayerHeader({ session, onLeave }: { session: Session; onLeave: () => void }) {
  const t = useTranslations('portal.run')
  const state = usePlayer(session)
  const camera = useCamera(session)
  const startCamera = useStartCamera(session)
  const [muted, setMuted] = useState(isVoiceMuted)
  const offline = useOffline()
  const waiting = useSyncExternalStore(session.outbox.subscribe, session.outbox.waiting)
  const { exercises } = session.payload
  const done = countOf(state.outcomes, 'completed')
  const skipped = countOf(state.outcomes, 'skipped')
  const stateOf = (outcome: Outcome | undefined, index: number) => {
    if (outcome !== undefined) return outcome === 'completed' ? 'done' : 'skipped'
    return index === state.index && state.phase !== 'overview' ? 'now' : 'open'
  }
  const switchVoice = () => {
    session.voice.setMuted(!muted)
    setMuted(!muted)
  }
  return (
    <header className={classes.header}>
      <div className={classes.tools}>
        <ActionIcon size={44} color="gray" onClick={onLeave} aria-label={t('leave')}>
          <IconX size={24} />
        </ActionIcon>
        <Text fw={600} className={classes.headerText}>
          {t('progress', { done, total: exercises.length })}
          {skipped > 0 && `, ${t('progressSkipped', { count: skipped })}`}
        </Text>
        <ActionIcon
          size={44}
          color="gray"
          onClick={switchVoice}
          title={muted ? t('voiceOn') : t('voiceOff')}
          aria-label={t('voice')}
          aria-pressed={!muted}
        >
          {muted ? <IconVolumeOff size={24} /> : <IconVolume size={24} />}
        </ActionIcon>
        {state.phase !== 'overview' && exercises.some(({ pose_config }) => pose_config !== null) && (
          <ActionIcon
            size={44}
            color="gray"
            loading={camera.kind === 'starting'}
            title={camera.kind === 'on' ? t('cameraOff') : t('cameraOn')}
            aria-label={t('camera')}
            aria-pressed={camera.kind === 'on'}
            onClick={() => (camera.kind === 'on' ? session.camera.stop() : void startCamera())}
          >
            {camera.kind === 'on' ? <IconCamera size={24} /> : <IconCameraOff size={24} />}
          </ActionIcon>
        )}
      </div>
      <div
        className={classes.steps}
        role="progressbar"
        aria-label={t('progressLabel')}
        aria-valuemin={0}
        aria-valuemax={exercises.length}
        aria-valuenow={done}
      >
        {exercises.map(({ id }, index) => (
          <span key={id} data-state={stateOf(state.outcomes[id], index)} />
        ))}
      </div>
      <div role="status">
        {offline && (
          <Text className={classes.offline} size="sm">
            <IconWifiOff size={18} /> {t('offline', { count: waiting })}
          </Text>
        )}
      </div>
    </header>
  )
}

function useOffline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    () => !navigator.onLine,
  )
}
