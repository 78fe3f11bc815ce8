import type { PlannedExercise } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { removedFrom, type StoredSession, type WantedSession } from './tree-rules.ts'

/** The owner of sessions: a program or a treatment plan. */
export type Owner = { program_id: string } | { treatment_plan_id: string; patient_profile_id: string }

const isOf = (owner: Owner) =>
  'program_id' in owner
    ? sql`s.program_id = ${owner.program_id}`
    : sql`s.treatment_plan_id = ${owner.treatment_plan_id}`

/** In one statement: what it gives belongs together. Row-level security says whose they may be. */
async function listSessionsWhere(tx: TenantTx, condition: RawBuilder<unknown>): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select s.id, s.position, s.title, s.notes, coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'position', e.position,
        'exercise_id', e.exercise_id, 'sets', e.sets, 'reps', e.reps, 'hold_seconds', e.hold_seconds,
        'rest_seconds', e.rest_seconds, 'side', e.side, 'notes', e.notes, 'override_reason', e.override_reason,
        'safety', e.safety) order by e.position) filter (where e.id is not null), '[]') as exercises
    from plan_sessions s
    left join session_exercises e
      on e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null
    where ${condition} and s.removed_at is null
    group by s.id order by s.position`.execute(tx)
  return rows
}

/** Lists sessions of the clinic in context. */
export const listSessions = (tx: TenantTx, owner: Owner): Promise<StoredSession[]> =>
  listSessionsWhere(tx, sql`s.organization_id = (select current_app_org_id()) and ${isOf(owner)}`)

/** Lists sessions of an activated plan of the calling patient, at any clinic. */
export const listMySessions = (tx: TenantTx, planId: string): Promise<StoredSession[]> =>
  listSessionsWhere(tx, sql`s.treatment_plan_id = ${planId} and s.patient_profile_id = any(current_app_profile_ids())`)

export async function findSession(tx: TenantTx, id: string): Promise<StoredSession | undefined> {
  const [session] = await listSessionsWhere(tx, sql`s.id = ${id}`)
  return session
}

/** The exercises behind the entries of sessions, by the entry's id; also those that are archived or deleted. For staff. */
export async function findPlannedExercises(tx: TenantTx, sessions: readonly StoredSession[]) {
  const ids = sessions.flatMap(({ exercises }) => exercises.map(({ id }) => id))
  const { rows } = await sql<PlannedExercise & { session_exercise_id: string }>`
    select session_exercise_id, id, translated_name(name, translations) as name, slug, kind, available
    from planned_exercises(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ session_exercise_id, ...exercise }) => [session_exercise_id, exercise]))
}

/** The exercises that may be used. Locked until the end of the transaction. */
export async function lockExercises(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select lock_exercises(${ids}::uuid[]) as id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

interface Saving {
  before: readonly StoredSession[]
  wanted: readonly WantedSession[]
  /** Whether what is taken out is only marked, because the patient may have done it. */
  keep: boolean
}

export async function saveSessions(tx: TenantTx, owner: Owner, { before, wanted, keep }: Saving): Promise<void> {
  const removed = removedFrom(before, wanted)
  await removeRows(tx, 'session_exercises', removed.exercises, keep)
  await removeRows(tx, 'plan_sessions', removed.sessions, keep)
  const sessions = wanted.map(({ id, title, notes }, index) => ({ id, title, notes, position: index + 1 }))
  await updateSessions(tx, sessions)
  const added = await insertSessions(tx, owner, sessions)
  const exercises = wanted.flatMap((session, index) =>
    session.exercises.map((exercise, place) => ({
      ...exercise,
      position: place + 1,
      plan_session_id: session.id ?? added.get(index + 1),
    })),
  )
  await updateExercises(tx, exercises)
  await insertExercises(tx, exercises)
}

async function removeRows(
  tx: TenantTx,
  table: 'session_exercises' | 'plan_sessions',
  ids: readonly string[],
  keep: boolean,
): Promise<void> {
  if (ids.length === 0) return
  const chosen = sql`organization_id = (select current_app_org_id()) and id = any(${ids}::uuid[])`
  if (keep) await sql`update ${sql.table(table)} set removed_at = now() where ${chosen}`.execute(tx)
  else await sql`delete from ${sql.table(table)} where ${chosen}`.execute(tx)
}

interface Row {
  id: string | null
}
const json = (rows: readonly Row[]) => JSON.stringify(rows)
const there = <One extends Row>(rows: readonly One[]) => rows.filter(({ id }) => id !== null)
const fresh = <One extends Row>(rows: readonly One[]) => rows.filter(({ id }) => id === null)

const updateSessions = (tx: TenantTx, rows: readonly Row[]) =>
  sql`update plan_sessions s set position = n.position, title = n.title, notes = n.notes
    from jsonb_to_recordset(${json(there(rows))}::jsonb) as n (id uuid, position integer, title text, notes text)
    where s.organization_id = (select current_app_org_id()) and s.id = n.id
      and (s.position, s.title, s.notes) is distinct from (n.position, n.title, n.notes)`.execute(tx)

/** Gives position → id of what was added. */
async function insertSessions(tx: TenantTx, owner: Owner, rows: readonly Row[]): Promise<Map<number, string>> {
  const { program_id, treatment_plan_id, patient_profile_id } = {
    program_id: null,
    treatment_plan_id: null,
    patient_profile_id: null,
    ...owner,
  }
  const added = await sql<{ id: string; position: number }>`
    insert into plan_sessions (program_id, treatment_plan_id, patient_profile_id, position, title, notes)
    select ${program_id}::uuid, ${treatment_plan_id}::uuid, ${patient_profile_id}::uuid, n.position, n.title, n.notes
    from jsonb_to_recordset(${json(fresh(rows))}::jsonb) as n (position integer, title text, notes text)
    order by n.position
    returning id, position`.execute(tx)
  return new Map(added.rows.map(({ id, position }) => [position, id]))
}

const RECORD = sql`(id uuid, plan_session_id uuid, exercise_id uuid, position integer, sets integer, reps integer,
  hold_seconds integer, rest_seconds integer, side text, notes text, override_reason text, safety jsonb)`

const updateExercises = (tx: TenantTx, rows: readonly Row[]) =>
  sql`update session_exercises e set position = n.position, sets = n.sets, reps = n.reps, hold_seconds = n.hold_seconds,
      rest_seconds = n.rest_seconds, side = n.side, notes = n.notes, override_reason = n.override_reason, safety = n.safety
    from jsonb_to_recordset(${json(there(rows))}::jsonb) as n ${RECORD}
    where e.organization_id = (select current_app_org_id()) and e.id = n.id
      and (e.position, e.sets, e.reps, e.hold_seconds, e.rest_seconds, e.side, e.notes, e.override_reason, e.safety)
        is distinct from (n.position, n.sets, n.reps, n.hold_seconds, n.rest_seconds, n.side, n.notes, n.override_reason,
          n.safety)`.execute(tx)

const insertExercises = (tx: TenantTx, rows: readonly Row[]) =>
  sql`insert into session_exercises (plan_session_id, exercise_id, position, sets, reps, hold_seconds, rest_seconds, side,
      notes, override_reason, safety)
    select n.plan_session_id, n.exercise_id, n.position, n.sets, n.reps, n.hold_seconds, n.rest_seconds, n.side, n.notes,
      n.override_reason, n.safety
    from jsonb_to_recordset(${json(fresh(rows))}::jsonb) as n ${RECORD}
    order by n.plan_session_id, n.position`.execute(tx)

/** Only for a draft, of which no session has been done. */
export async function deleteSessions(tx: TenantTx, before: readonly StoredSession[]): Promise<void> {
  const { sessions, exercises } = removedFrom(before, [])
  await removeRows(tx, 'session_exercises', exercises, false)
  await removeRows(tx, 'plan_sessions', sessions, false)
}
