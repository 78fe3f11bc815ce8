import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Feed } from './feed-file.ts'

const isDone = async (rows: Promise<{ rows: { done: boolean | null }[] }>) => (await rows).rows[0]?.done === true

/** False when the specialist does not exist or the caller may not create the feed. */
export const saveSpecialistFeed = (tx: TenantTx, specialistId: string, tokenHash: Buffer): Promise<boolean> =>
  isDone(sql<{ done: boolean }>`select save_specialist_feed(${specialistId}, ${tokenHash}) as done`.execute(tx))

export const deleteSpecialistFeed = (tx: TenantTx, specialistId: string): Promise<boolean> =>
  isDone(sql<{ done: boolean }>`select delete_specialist_feed(${specialistId}) as done`.execute(tx))

/** False when the caller has no patient record at the clinic in context. */
export const saveMyFeed = (tx: TenantTx, tokenHash: Buffer): Promise<boolean> =>
  isDone(sql<{ done: boolean }>`select save_my_feed(${tokenHash}) as done`.execute(tx))

export const deleteMyFeed = (tx: TenantTx): Promise<boolean> =>
  isDone(sql<{ done: boolean }>`select delete_my_feed() as done`.execute(tx))

export async function readFeed(tx: PublicTx, tokenHash: Buffer): Promise<Feed | undefined> {
  const { rows } = await sql<{ feed: Feed | null }>`select read_calendar_feed(${tokenHash}) as feed`.execute(tx)
  return rows[0]?.feed ?? undefined
}
