import { useEffect } from 'react'
import { signInGate } from '#ui/api/gates.ts'
import type { Session } from '../run/session.ts'

/** Pauses the set while the page asks to sign in again, because that dialog covers it. */
export function usePauseWhenSignedOut({ player }: Session): void {
  useEffect(
    () =>
      signInGate.mount(() => {
        if (signInGate.reason) player.pause()
      }),
    [player],
  )
}
