import type { Database } from '@tendon/db'

const LOCKED_BY_ABSENT = `
  select distinct locked_by from graphile_worker.jobs
  where locked_by is not null and locked_by not in (select application_name from pg_stat_activity)`
const UNLOCK = 'select graphile_worker.force_unlock_workers($1)'

/**
 * A worker that dies keeps its jobs locked; the library would free them after four hours. Each call frees the jobs of
 * workers that had no connection at this call nor at the one before: one call alone may meet a worker that reconnects.
 */
export function createOrphanSweep(db: Database): () => Promise<string[]> {
  let suspects = new Set<string>()
  return async () => {
    const absent = (await db.call<{ locked_by: string }>(LOCKED_BY_ABSENT, [])).map((row) => row.locked_by)
    const dead = absent.filter((worker) => suspects.has(worker))
    if (dead.length > 0) await db.call(UNLOCK, [dead])
    suspects = new Set(absent)
    return dead
  }
}
