import type {
  ExerciseEvent,
  NewExerciseEvent,
  NewPainReport,
  NewSessionFeedback,
  PainReport,
  SessionFeedback,
} from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { EVENT_COLUMNS, type OwnRun } from './queries.ts'

// What a patient writes down during a run. The run is locked: nothing else is written to it at the same time.

const PAIN_COLUMNS = [
  'id',
  'session_exercise_id',
  'severity',
  'action',
  'note',
  'client_event_id',
  'created_at',
] as const
const FEEDBACK_COLUMNS = ['perceived_exertion', 'pain', 'comment', 'created_at', 'updated_at'] as const

export async function findEvent(
  tx: TenantTx,
  runId: string,
  clientEventId: string,
): Promise<ExerciseEvent | undefined> {
  return tx
    .selectFrom('session_run_events')
    .select(EVENT_COLUMNS)
    .where('session_run_id', '=', runId)
    .where('client_event_id', '=', clientEventId)
    .executeTakeFirst()
}

/** The event with which the exercise came to its end. */
export async function findOutcome(tx: TenantTx, runId: string, exerciseId: string): Promise<ExerciseEvent | undefined> {
  return tx
    .selectFrom('session_run_events')
    .select(EVENT_COLUMNS)
    .where('session_run_id', '=', runId)
    .where('session_exercise_id', '=', exerciseId)
    .where('type', 'in', ['completed', 'skipped', 'abandoned'])
    .executeTakeFirst()
}

/** Reports from before this was stored have the time of their arrival. */
const PAIN_OCCURRED_AT = sql<string>`coalesce(occurred_at, created_at)`.as('occurred_at')
const WARNING_SIGNS = sql<PainReport['warning_signs']>`warning_signs`.as('warning_signs')

type EventOfRun = Omit<NewExerciseEvent, 'client_event_id'> & { client_event_id: string | null }

/** undefined when the exercise has come to another end already. Nothing happens before the run or in the future. */
export async function insertEvent(tx: TenantTx, run: OwnRun, event: EventOfRun): Promise<ExerciseEvent | undefined> {
  return tx
    .insertInto('session_run_events')
    .values({
      session_run_id: run.id,
      patient_profile_id: run.patient_profile_id,
      session_exercise_id: event.session_exercise_id,
      type: event.type,
      client_event_id: event.client_event_id,
      data: JSON.stringify(event.data ?? {}),
      occurred_at: sql<string>`least(${occurredAt(run, event)}::timestamptz, now())`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(EVENT_COLUMNS)
    .executeTakeFirst()
}

/** Not before the run. Read here: PostgreSQL refuses years and offsets that a client may have. */
function occurredAt({ started_at }: OwnRun, { occurred_at }: { occurred_at?: string }): string | null {
  const told = Date.parse(occurred_at ?? '')
  if (Number.isNaN(told)) return null
  return told < Date.parse(started_at) ? started_at : new Date(told).toISOString()
}

/** Seconds until there is room for one more in the hour; undefined when there is now. */
export async function findWait(
  tx: TenantTx,
  table: 'session_run_events' | 'pain_reports',
  runId: string,
  perHour: number,
): Promise<number | undefined> {
  const counted = table === 'session_run_events' ? sql`client_event_id is not null` : sql`true`
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from created_at + interval '1 hour' - now()))::integer as seconds from ${sql.table(table)}
    where session_run_id = ${runId} and created_at > now() - interval '1 hour' and ${counted}
    order by created_at desc offset ${perHour - 1} limit 1`.execute(tx)
  return rows[0] && Math.max(1, rows[0].seconds)
}

export async function touchRun(tx: TenantTx, runId: string): Promise<void> {
  await sql`update session_runs set last_event_at = greatest(last_event_at, now())
    where id = ${runId} and status = 'in_progress'`.execute(tx)
}

export type StoredPainReport = Omit<PainReport, 'band'>

export async function findPainReport(
  tx: TenantTx,
  runId: string,
  clientEventId: string,
): Promise<StoredPainReport | undefined> {
  return tx
    .selectFrom('pain_reports')
    .select(PAIN_COLUMNS)
    .select([PAIN_OCCURRED_AT, WARNING_SIGNS])
    .where('session_run_id', '=', runId)
    .where('client_event_id', '=', clientEventId)
    .executeTakeFirst()
}

export async function insertPainReport(tx: TenantTx, run: OwnRun, report: NewPainReport): Promise<StoredPainReport> {
  return tx
    .insertInto('pain_reports')
    .values({
      ...report,
      session_run_id: run.id,
      patient_profile_id: run.patient_profile_id,
      occurred_at: sql<string>`least(${occurredAt(run, report)}::timestamptz, now())`,
    })
    .returning(PAIN_COLUMNS)
    .returning([PAIN_OCCURRED_AT, WARNING_SIGNS])
    .executeTakeFirstOrThrow()
}

export async function findFeedback(tx: TenantTx, runId: string): Promise<SessionFeedback | undefined> {
  return tx
    .selectFrom('session_feedback')
    .select(FEEDBACK_COLUMNS)
    .where('session_run_id', '=', runId)
    .executeTakeFirst()
}

export async function saveFeedback(
  tx: TenantTx,
  run: OwnRun,
  { perceived_exertion, pain, comment = null }: NewSessionFeedback,
): Promise<SessionFeedback> {
  const given = { perceived_exertion, pain, comment }
  return tx
    .insertInto('session_feedback')
    .values({ ...given, session_run_id: run.id, patient_profile_id: run.patient_profile_id })
    .onConflict((conflict) => conflict.column('session_run_id').doUpdateSet(given))
    .returning(FEEDBACK_COLUMNS)
    .executeTakeFirstOrThrow()
}
