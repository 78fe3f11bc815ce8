import type { Listener } from '@tendon/db'
import type { HoldChanges } from './stream.ts'

/** Notices of the channel `holds` are `<hold id> <new status>`; null after a lost connection means: look again. */
export function holdChanges(listener: Listener): HoldChanges {
  return {
    subscribe: (holdId, callback) =>
      listener.subscribe((payload) => {
        if (payload === null || payload.startsWith(`${holdId} `)) callback()
      }),
  }
}
