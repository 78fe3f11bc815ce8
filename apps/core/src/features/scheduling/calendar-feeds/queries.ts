import { CLINIC, type PublicTx, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Feed } from './feed-file.ts'

/** A specialist, also a deleted one, and the account of theirs. */
export function findSpecialistOf(tx: ServiceTx, id: string) {
  return tx
    .selectFrom('specialists')
    .select(['id', 'human_id', 'deleted_at'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The caller's profile at the clinic in context. */
export async function findMyProfileId(tx: TenantTx): Promise<string | undefined> {
  const row = await tx
    .selectFrom('patients')
    .select('patient_profile_id')
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.patient_profile_id
}

type FeedOwner = { specialist_id: string } | { patient_profile_id: string }

/** Creates the feed, or replaces its token. */
export async function saveFeed(tx: ServiceTx, owner: FeedOwner, tokenHash: Buffer): Promise<void> {
  const key = 'specialist_id' in owner ? 'specialist_id' : 'patient_profile_id'
  await tx
    .insertInto('calendar_feeds')
    .values({ ...owner, token_hash: tokenHash })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', key]).doUpdateSet({
        token_hash: tokenHash,
        principal_id: sql<string>`current_app_principal_id()`,
        created_at: sql<string>`now()`,
      }),
    )
    .execute()
}

/** False when there is none. */
export async function deleteSpecialistFeed(tx: ServiceTx, specialistId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendar_feeds')
    .where('organization_id', '=', CLINIC)
    .where('specialist_id', '=', specialistId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteMyFeed(tx: ServiceTx): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendar_feeds')
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function readFeed(tx: PublicTx, tokenHash: Buffer): Promise<Feed | undefined> {
  const { rows } = await sql<{ feed: Feed | null }>`select read_calendar_feed(${tokenHash}) as feed`.execute(tx)
  return rows[0]?.feed ?? undefined
}
