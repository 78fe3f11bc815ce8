import type { DB } from '@tendon/db'
import type { Kysely } from 'kysely'

/** Publishes an event in the transaction that caused it. A worker dispatches it. */
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
