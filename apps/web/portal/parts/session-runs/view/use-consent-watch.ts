import { useEffect } from 'react'
import { api } from '#ui/api/client.ts'
import { onConsentsChanged } from '#ui/api/consent-channel.ts'
import { inClinic } from '#ui/api/queries.ts'
import type { Session } from '../run/session.ts'
import { useCamera, usePlayer } from './use-session.ts'

/** Maximum time until a withdrawal on another device is noticed. A withdrawal in another tab is noticed at once. */
const CHECK_MS = 15_000

/** A withdrawn consent to the camera stops the camera; a withdrawn consent to exercising at home ends the session. */
export function useConsentWatch(session: Session): void {
  const { camera, organization, player } = session
  const { kind } = useCamera(session)
  const { phase } = usePlayer(session)
  const isFilming = kind === 'on' || kind === 'starting'
  const isOpen = phase !== 'done'
  useEffect(() => {
    if (!isOpen) return undefined
    async function check(): Promise<void> {
      const answer = await api('GET /v1/me/consents', inClinic(organization)).catch(() => undefined)
      if (!answer) return
      const has = (purpose: string) =>
        answer.data.some((one) => one.purpose_code === purpose && one.organization_id === organization && one.current)
      if (!has('telerehab')) player.withdraw()
      if (!isFilming || has('biometric_capture')) return
      session.access.forget(session.payload.run_id)
      camera.stop('consent')
    }
    const stop = onConsentsChanged(() => void check())
    const timer = setInterval(() => void check(), CHECK_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [isOpen, isFilming, camera, organization, player, session])
}
