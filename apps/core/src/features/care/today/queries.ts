import type { RunStatus, Today } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Clinic, OfClinic } from './rules.ts'

const MAX_SESSIONS = 200

export async function listMyClinics(tx: TenantTx): Promise<Clinic[]> {
  const { rows } = await sql<Clinic>`
    select distinct organization_id as id, organization_name as name, organization_slug as slug, time_zone
    from my_patient_records()`.execute(tx)
  return rows
}

type Session = OfClinic<Today['sessions'][number]>
interface SessionRow extends Omit<Session, 'last_run' | 'run_in_progress' | 'treatment_plan'> {
  treatment_plan_id: string
  treatment_plan_title: string
  starts_on: string | null
  ends_on: string | null
  has_ended: boolean
  last_id: string | null
  last_status: RunStatus
  last_started_at: string
  last_ended_at: string | null
  last_total: number
  last_completed: number
  open_id: string | null
  open_started_at: string
  open_last_event_at: string
}

/** Sessions of active plans, and sessions with a run in progress, even if their plan has ended. */
export async function listSessions(tx: TenantTx): Promise<Session[]> {
  const { rows } = await sql<SessionRow>`
    select s.organization_id, s.id, s.title, s.position, p.id as treatment_plan_id, p.title as treatment_plan_title,
      p.starts_on, p.ends_on, coalesce(p.ends_on < (now() at time zone c.time_zone)::date, false) as has_ended,
      (select count(*) from session_exercises e
        where e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null) as exercises_count,
      last.id as last_id, last.status as last_status, last.started_at as last_started_at, last.ended_at as last_ended_at,
      last.total as last_total, last.completed as last_completed,
      open.id as open_id, open.started_at as open_started_at, open.last_event_at as open_last_event_at
    from treatment_plans p
    join (select distinct organization_id, time_zone from my_patient_records()) c on c.organization_id = p.organization_id
    join plan_sessions s on s.organization_id = p.organization_id and s.treatment_plan_id = p.id
    left join session_runs open on open.plan_session_id = s.id and open.patient_profile_id = s.patient_profile_id
      and open.status = 'in_progress'
    left join lateral (
      select r.id, r.status, r.started_at, r.ended_at, cardinality(r.session_exercise_ids) as total,
        (select count(*) from session_run_events e where e.session_run_id = r.id and e.type = 'completed') as completed
      from session_runs r
      where r.organization_id = s.organization_id and r.plan_session_id = s.id and r.status <> 'in_progress'
      order by r.started_at desc, r.id desc limit 1
    ) last on true
    where p.patient_profile_id = any (current_app_profile_ids())
      and (open.id is not null or (p.status = 'active' and s.removed_at is null))
    order by open.id is null, p.activated_at, p.id, s.position limit ${MAX_SESSIONS}`.execute(tx)
  return rows.map((row) => ({
    organization_id: row.organization_id,
    id: row.id,
    treatment_plan: {
      id: row.treatment_plan_id,
      title: row.treatment_plan_title,
      starts_on: row.starts_on,
      ends_on: row.ends_on,
      has_ended: row.has_ended,
    },
    title: row.title,
    position: row.position,
    exercises_count: row.exercises_count,
    last_run: row.last_id === null ? null : lastRun(row.last_id, row),
    run_in_progress:
      row.open_id === null
        ? null
        : { id: row.open_id, started_at: row.open_started_at, last_event_at: row.open_last_event_at },
  }))
}

const lastRun = (id: string, row: SessionRow) => ({
  id,
  status: row.last_status,
  started_at: row.last_started_at,
  ended_at: row.last_ended_at,
  exercises: { total: row.last_total, completed: row.last_completed },
})

export async function listOpenForms(tx: TenantTx): Promise<OfClinic<Today['forms'][number]>[]> {
  const { rows } = await sql<OfClinic<Today['forms'][number]>>`select * from my_open_forms()`.execute(tx)
  return rows
}

/** At most one. */
export async function findNextVisit(tx: TenantTx, now: Date) {
  const { rows } = await sql<OfClinic<NonNullable<Today['next_visit']>>>`
    select * from my_next_visit(${now.toISOString()})`.execute(tx)
  return rows
}
