import type { DB } from '@tendon/db'
import type { ObjectStore } from '@tendon/object-store'
import { type Kysely, sql } from 'kysely'
import type { Job } from './jobs.ts'

// Objects without a row: not yet, or no longer (database/migrations/0002_system.sql).

const AT_ONCE = 100

/** Before the upload, so that an abandoned object is deleted later. */
export async function listObject(tx: Kysely<DB>, key: string): Promise<void> {
  await sql`insert into unclaimed_objects (object_key, delete_after) values (${key}, now() + interval '1 hour')`.execute(
    tx,
  )
}

/** In the transaction of its row. False when its time has passed. */
export async function claimObject(tx: Kysely<DB>, key: string): Promise<boolean> {
  // The worker may look between the start of this transaction and now.
  const { numAffectedRows } = await sql`
    delete from unclaimed_objects where object_key = ${key} and delete_after > clock_timestamp()`.execute(tx)
  return numAffectedRows === 1n
}

/** Nobody can claim it afterwards. False when it is not on the list. */
export async function expireObject(tx: Kysely<DB>, key: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update unclaimed_objects set delete_after = now() where object_key = ${key}`.execute(tx)
  return numAffectedRows === 1n
}

export async function forgetObject(tx: Kysely<DB>, key: string): Promise<void> {
  await sql`delete from unclaimed_objects where object_key = ${key}`.execute(tx)
}

/** Deletes a listed object now, unless a row has claimed it: a commit may have succeeded although its response was lost. */
export async function discardObject(
  run: <Value>(work: (tx: Kysely<DB>) => Promise<Value>) => Promise<Value>,
  objects: ObjectStore,
  key: string,
): Promise<void> {
  if (!(await run((tx) => expireObject(tx, key)))) return
  await objects.delete(key)
  await run((tx) => forgetObject(tx, key))
}

export const unclaimedObjectJobs: readonly Job[] = [
  {
    // The trigger release_object adds it too.
    name: 'delete_unclaimed_objects',
    cron: '*/10 * * * *',
    async run(_payload, { tenant, services, signal }) {
      for (;;) {
        signal.throwIfAborted()
        const keys = await tenant(takeKeys)
        for (const key of keys) await services.objects.delete(key)
        if (keys.length > 0) await tenant((tx) => sql`select remove_unclaimed_objects(${keys})`.execute(tx))
        if (keys.length < AT_ONCE) return
      }
    },
  },
]

async function takeKeys(tx: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select claim_unclaimed_objects(${AT_ONCE}) as key`.execute(tx)
  return rows.map(({ key }) => key)
}
