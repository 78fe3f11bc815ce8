import { createOutbox, type Entry } from './outbox.ts'
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
