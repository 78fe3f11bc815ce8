import type { DB } from '@tendon/db'
import type { Kysely } from 'kysely'

/** Tells the rest of the platform what happened, in the transaction where it happened. A worker passes it on. */
export async function publish(
  tx: Kysely<DB>,
  type: string,
  payload: Record<string, unknown>,
  organizationId?: string,
): Promise<void> {
  await tx
    .insertInto('outbox_events')
    .values({
      type,
      payload: JSON.stringify(payload),
      ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    })
    .execute()
}
