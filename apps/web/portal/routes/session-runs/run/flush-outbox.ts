import { createOutbox } from './outbox.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createSender } from './sender.ts'
import { createRunAccess } from './telemetry.ts'

/** Sends what an earlier tab could not send. Resolves when it is sent, or has to wait. */
export async function flushOutbox(person: string): Promise<void> {
  const outbox = createOutbox({ person, store: createOutboxStore(), send: createSender(createRunAccess()) })
  await outbox.flush().catch(() => undefined)
  outbox.close()
}
