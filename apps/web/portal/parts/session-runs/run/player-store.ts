import type { PlayerState } from './player-state.ts'

export type PlayerStore = ReturnType<typeof createPlayerStore>

/** The state that the page shows. */
export function createPlayerStore(start: PlayerState) {
  let state = start
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change(changed: Partial<PlayerState>): void {
      state = { ...state, ...changed }
      for (const listener of listeners) listener()
    },
  }
}
