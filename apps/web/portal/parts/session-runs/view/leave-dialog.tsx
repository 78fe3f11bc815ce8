import { Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import type { Session } from '../run/session.ts'
import classes from './player.module.css'

/** Three choices: continue, continue later, or end the session. Countdown, set and rest wait for the answer. */
export function LeaveDialog({ session, open, onClose }: { session: Session; open: boolean; onClose: () => void }) {
  const t = useTranslations('portal.run.leaving')
  const navigate = useNavigate()
  const { slug } = useClinic()
  const { player } = session
  const isWaiting = useRef(false)
  useEffect(() => {
    if (!open) return
    const { phase, paused } = player.getState()
    isWaiting.current = !paused && (phase === 'countdown' || phase === 'work' || phase === 'rest')
    if (isWaiting.current) player.pause()
  }, [open, player])
  const stay = () => {
    onClose()
    if (isWaiting.current) player.resume()
  }
  return (
    <Dialog open={open} title={t('title')} onClose={stay}>
      <Text>{t('text')}</Text>
      <Stack gap="sm">
        <Button size="lg" onClick={stay}>
          {t('stay')}
        </Button>
        <Button
          size="lg"
          variant="default"
          onClick={() => {
            player.pause()
            void navigate({ to: '/$clinic', params: { clinic: slug }, ignoreBlocker: true })
          }}
        >
          {t('later')}
        </Button>
        <Button
          size="lg"
          variant="outline"
          className={classes.danger}
          onClick={() => {
            onClose()
            player.stop()
          }}
        >
          {t('end')}
        </Button>
      </Stack>
    </Dialog>
  )
}
