import { type Database, NOBODY, type PlatformTx } from '@tendon/db'
import { problemOfSeal } from './rules.ts'
import { type LoggedRow, listRowsAfter, listSealedEntries, listSealsAfter, type Seal } from './seal-queries.ts'

export type Verdict =
  | { ok: true; seals: number; entries: number; newest: Seal | undefined }
  | { ok: false; problem: string }

const SEALS_PER_PAGE = 500
const ENTRIES_PER_PAGE = 10_000
/** Rows of the hour before the newest sealed one may still wait for their seal (see seal_audit_log). */
const SEAL_WINDOW_MS = 3_600_000

/** Checks every seal from the first, every row that a seal holds, and that no old row lacks a seal. */
export async function verifyAuditLog(db: Database, onProgress: (line: string) => void): Promise<Verdict> {
  const read = <Result>(work: (tx: PlatformTx) => Promise<Result>) => db.platform(NOBODY, work, { long: true })
  let newest: Seal | undefined
  let newestRowAt = 0
  let seals = 0
  let entries = 0
  for (;;) {
    const page = await read(async (tx) => {
      const next = bounded(await listSealsAfter(tx, newest, SEALS_PER_PAGE))
      const ids = next.map(({ id }) => id)
      return { seals: next, entries: Map.groupBy(await listSealedEntries(tx, ids), ({ seal_id }) => seal_id) }
    })
    if (page.seals.length === 0) break
    for (const seal of page.seals) {
      const held = page.entries.get(seal.id) ?? []
      const problem = problemOfSeal(newest, seal, held)
      if (problem) return { ok: false, problem }
      for (const { occurred_at } of held) newestRowAt = Math.max(newestRowAt, Date.parse(occurred_at ?? ''))
      newest = seal
      seals += 1
      entries += held.length
    }
    onProgress(`${seals} seals, ${entries} entries checked`)
  }

  const until = new Date(newestRowAt - SEAL_WINDOW_MS)
  let last: LoggedRow | undefined
  for (;;) {
    const rows = await read((tx) => listRowsAfter(tx, last, until, ENTRIES_PER_PAGE))
    const unsealed = rows.find((row) => !row.sealed)
    if (unsealed)
      return {
        ok: false,
        problem: `Entry ${unsealed.id} of ${unsealed.occurred_at} has no seal, although newer ones do.`,
      }
    last = rows.at(-1)
    if (rows.length < ENTRIES_PER_PAGE) return { ok: true, seals, entries, newest }
  }
}

/** The first seals whose entries fit into one page; at least one. */
function bounded(seals: Seal[]): Seal[] {
  let entries = 0
  return seals.filter(({ entry_count }, index) => {
    entries += entry_count
    return index === 0 || entries <= ENTRIES_PER_PAGE
  })
}
