import { createOutbox, type Entry, type Outbox } from './outbox.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createSender } from './sender.ts'
import { createRunAccess } from './telemetry.ts'

/** Sends the unsent entries of earlier tabs. Resolves, with those that are left, when all are sent or sending must wait. */
export async function flushOutbox(person: string): Promise<Entry[]> {
  const store = createOutboxStore()
  const outbox = createOutbox({ person, store, send: createSender(createRunAccess()) })
  await outbox.flush().catch(() => undefined)
  outbox.close()
  return store.all(person).catch(() => [])
}

/** Sends what earlier pages left, now and whenever there is a connection, until it is closed. */
export function openOutbox(person: string, known: readonly Entry[] = []): Outbox {
  const store = createOutboxStore()
  const outbox = createOutbox({ person, store, known, send: createSender(createRunAccess()) })
  const flush = () => void outbox.flush().catch(() => undefined)
  addEventListener('online', flush)
  flush()
  return {
    ...outbox,
    close() {
      removeEventListener('online', flush)
      outbox.close()
    },
  }
}
