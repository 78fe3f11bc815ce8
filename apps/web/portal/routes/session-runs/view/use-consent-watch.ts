import { useEffect } from 'react'
import { api } from '../../../../ui/api/client.ts'
import { onConsentsChanged } from '../../../../ui/api/consent-channel.ts'
import type { Session } from '../run/session.ts'
import { useCamera } from './use-session.ts'

/** Maximum time until a withdrawal on another device is noticed. A withdrawal in another tab is noticed at once. */
const CHECK_MS = 15_000

/** Checks the camera consent while the camera is on; a withdrawal stops it. */
export function useConsentWatch(session: Session): void {
  const { camera, organization } = session
  const { kind } = useCamera(session)
  const on = kind === 'on' || kind === 'starting'
  useEffect(() => {
    if (!on) return undefined
    async function check(): Promise<void> {
      const answer = await api('GET /v1/me/consents').catch(() => undefined)
      const state = answer?.data.find(
        (one) => one.purpose_code === 'biometric_capture' && one.organization_id === organization,
      )
      if (answer && !state?.current) {
        session.access.forget(session.payload.run_id)
        camera.stop('consent')
      }
    }
    const stop = onConsentsChanged(() => void check())
    const timer = setInterval(() => void check(), CHECK_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [on, camera, organization, session])
}
