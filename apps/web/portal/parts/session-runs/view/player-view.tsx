import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { IconPlayerPause, IconPlayerPlay } from '#ui/icons/index.ts'
import type { Session } from '../run/session.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { Overview } from './overview.tsx'
import { PainSheet } from './pain-sheet.tsx'
import classes from './player.module.css'
import { PlayerHeader } from './player-header.tsx'
import { Prepare } from './prepare.tsx'
import { Rest } from './rest.tsx'
import { SessionSummary } from './session-summary.tsx'
import { useConsentWatch } from './use-consent-watch.ts'
import { usePauseWhenSignedOut } from './use-pause-when-signed-out.ts'
import { usePlayer } from './use-session.ts'
import { useWakeLock } from './use-wake-lock.ts'
import { Work } from './work.tsx'

/** The running session, one phase at a time. Pause and "It hurts" are always visible. */
export function PlayerView({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const { player } = session
  const state = usePlayer(session)
  const [leaving, setLeaving] = useState(false)
  const isExercising = state.phase !== 'overview' && state.phase !== 'done'
  useConsentWatch(session)
  usePauseWhenSignedOut(session)
  useWakeLock(isExercising)
  const back = useBlocker({ shouldBlockFn: () => isExercising, enableBeforeUnload: false, withResolver: true })
  const place = `${state.phase} ${state.index} ${state.set}`
  useEffect(() => {
    if (place.startsWith('done')) session.camera.stop()
    // Focus the next action, for keyboards and screen readers.
    document.querySelector<HTMLElement>('[data-next]')?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [session, place])

  if (state.phase === 'done')
    return (
      <SessionSummary payload={session.payload} outbox={session.outbox} known={state} withdrawn={state.withdrawn} />
    )
  return (
    <div className={classes.player} data-phase={state.phase}>
      <PlayerHeader session={session} onLeave={() => setLeaving(true)} />
      <div className={classes.body}>
        {state.phase === 'overview' && <Overview session={session} />}
        {state.phase === 'prepare' && <Prepare session={session} />}
        {(state.phase === 'work' || state.phase === 'countdown') && <Work session={session} />}
        {state.phase === 'rest' && <Rest session={session} />}
      </div>
      {state.phase !== 'overview' && (
        <div className={classes.bar}>
          <Button className={classes.danger} variant="outline" size="lg" onClick={player.hurts}>
            {t('hurts')}
          </Button>
          {state.paused ? (
            <Button
              size="lg"
              data-next
              leftSection={<IconPlayerPlay />}
              onClick={player.resume}
              className={classes.main}
            >
              {t('resume')}
            </Button>
          ) : (
            state.phase !== 'prepare' && (
              <Button
                size="lg"
                variant="default"
                leftSection={<IconPlayerPause />}
                onClick={player.pause}
                className={classes.main}
              >
                {t('pause')}
              </Button>
            )
          )}
        </div>
      )}
      <PainSheet session={session} />
      <LeaveDialog
        session={session}
        open={leaving || back.status === 'blocked'}
        onClose={() => {
          setLeaving(false)
          back.reset?.()
        }}
      />
    </div>
  )
}
