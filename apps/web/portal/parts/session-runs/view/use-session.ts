import { useSyncExternalStore } from 'react'
import type { Session } from '../run/session.ts'

export const usePlayer = ({ player }: Session) => useSyncExternalStore(player.subscribe, player.getState)
export const useCamera = ({ camera }: Session) => useSyncExternalStore(camera.subscribe, camera.getState)
