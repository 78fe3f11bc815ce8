import { askForConsent } from '#ui/session/ask-consent.ts'
import type { Session } from '../run/session.ts'
import { allowsCamera } from '../run/telemetry.ts'

/** Starts the camera, after asking for a missing consent. Resolves to whether it may start. */
export function useStartCamera({ access, camera, organization, payload }: Session): () => Promise<boolean> {
  return async () => {
    const run = payload.run_id
    const allowed = await access.of(run, organization).catch(() => null)
    if (!allowsCamera(allowed?.token ?? null)) {
      const agreed = await askForConsent('biometric_capture', organization).catch(() => false)
      if (!agreed) return false
      access.forget(run)
      const fresh = await access.of(run, organization).catch(() => null)
      if (!allowsCamera(fresh?.token ?? null)) return false
    }
    void camera.start()
    return true
  }
}
