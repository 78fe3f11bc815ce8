import type { Caller } from '@tendon/access'
import { type AttentionItem, isUuid } from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { withNames } from '../../scheduling/appointments/index.ts'
import { type Asked, type FactRow, listFactsByKey, listOpenFacts } from './fact-queries.ts'
import { findSituation, listDoneMarks, listMyProfiles, READING_ATTENTION } from './mark-queries.ts'
import { boundsAt, chooseFacts, readKey } from './rules.ts'
import { sourcesOf } from './sources.ts'

type Scope = 'clinic' | 'mine'
type Source = ReturnType<typeof sourcesOf>[number]
type Read = (tx: Parameters<typeof listOpenFacts>[0], source: Source) => Promise<FactRow[]>

/** Asks all sources at once; then, as the service, those that need it. */
async function readAll(tx: TenantTx, sources: readonly Source[], read: Read): Promise<FactRow[]> {
  const [served, plain] = [sources.filter((one) => one.asService), sources.filter((one) => !one.asService)]
  const rows = await together(plain.map((source) => read(tx, source)))
  if (served.length === 0) return rows.flat()
  const { codes } = READING_ATTENTION
  const further = await asService(tx, codes, (own) => together(served.map((source) => read(own, source))))
  return [...rows, ...further].flat()
}

/** The facts with these keys that the caller may see. */
function readKeys(tx: TenantTx, caller: Caller, asked: Asked, keys: readonly string[]): Promise<FactRow[]> {
  const named = keys.flatMap((key) => readKey(key) ?? [])
  const idsOf = (source: Source) =>
    named.filter(({ kind, id }) => kind === source.facts.kind && (!source.byId || isUuid(id))).map(({ id }) => id)
  const sources = sourcesOf(caller).filter((source) => idsOf(source).length > 0)
  return readAll(tx, sources, (own, source) =>
    listFactsByKey(own, source.facts, source.byId ? { ...asked, ids: idsOf(source) } : asked, keys),
  )
}

/** undefined: the caller is in no clinic. */
async function askedAt(tx: TenantTx, now: Date, scope: Scope) {
  const found = await findSituation(tx, now)
  if (!found) return undefined
  const { time_zone, today, midnight } = found
  const asked: Asked = { ...boundsAt(now), time_zone, today }
  if (scope === 'mine') asked.profiles = await listMyProfiles(tx)
  return { midnight, asked }
}

export async function listAttention(
  tx: TenantTx,
  { caller, now, scope }: { caller: Caller; now: Date; scope: Scope },
): Promise<AttentionItem[]> {
  const found = await askedAt(tx, now, scope)
  if (!found) return []
  const { asked, midnight } = found
  const [marks, open] = await together([
    listDoneMarks(tx, midnight),
    readAll(tx, sourcesOf(caller), (own, { facts }) => listOpenFacts(own, facts, asked)),
  ])
  const done = marks.size === 0 ? [] : await readKeys(tx, caller, asked, [...marks.keys()])
  const chosen = await named(tx, chooseFacts(open, done))
  return chosen.map(({ key, kind, patient, at, params }) => ({
    key,
    kind,
    patient,
    at,
    params,
    mark: marks.get(key) ?? null,
  }))
}

/** Services and specialists of visits by name. */
async function named(tx: TenantTx, rows: readonly FactRow[]): Promise<FactRow[]> {
  const visits = rows.flatMap(({ key, service_id, specialist_id }) =>
    service_id === null ? [] : [{ key, service_id, specialist_id }],
  )
  const names = new Map((await withNames(tx, visits, ['specialist', 'service'])).map((visit) => [visit.key, visit]))
  return rows.map((row) => {
    const visit = names.get(row.key)
    if (!visit) return row
    return { ...row, params: { ...row.params, service: visit.service ?? null, specialist: visit.specialist ?? null } }
  })
}

/** The fact with this key, if it needs attention and the caller may see it. */
export async function findAttention(
  tx: TenantTx,
  { caller, now, key }: { caller: Caller; now: Date; key: string },
): Promise<FactRow | undefined> {
  const found = await askedAt(tx, now, 'clinic')
  if (!found) return undefined
  const [fact] = await readKeys(tx, caller, found.asked, [key])
  return fact
}
