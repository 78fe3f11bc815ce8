import { createOutbox } from './outbox.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createSender } from './sender.ts'
import { createRunAccess } from './telemetry.ts'

/** Sends the unsent entries of earlier tabs. Resolves when all are sent or sending must wait. */
export async function flushOutbox(person: string): Promise<void> {
  const outbox = createOutbox({ person, store: createOutboxStore(), send: createSender(createRunAccess()) })
  await outbox.flush().catch(() => undefined)
  outbox.close()
}
