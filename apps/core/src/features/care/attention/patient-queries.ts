import { CLINIC } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type FactSource, iso, onlyIds, stamp } from './fact-queries.ts'

const NO_WARNING = sql`false as is_warning`

/** The row of a fact: with the table as `x`. */
const rowOf = (table: string) => () => sql`join ${sql.table(table)} x on x.organization_id = ${CLINIC} and x.id = f.id`

export const painReports: FactSource = {
  kind: 'pain',
  patients: 'seen',
  due: (asked) => sql`
    select r.id, 'pain.' || r.id as key, coalesce(r.occurred_at, r.created_at) as at,
      cardinality(r.warning_signs) > 0 as is_warning, r.patient_profile_id
    from pain_reports r
    where r.organization_id = ${CLINIC} and r.created_at >= ${asked.painSince}
      and (r.severity >= ${sql.lit(asked.strongPain)} or cardinality(r.warning_signs) > 0) ${onlyIds(sql`r.id`, asked)}`,
  join: rowOf('pain_reports'),
  params: () =>
    sql`jsonb_build_object('severity', x.severity, 'warning_signs', x.warning_signs, 'session_run_id', x.session_run_id)`,
}

/** Feedback can be changed: stronger pain is a new fact. */
export const painfulFeedback: FactSource = {
  kind: 'pain',
  patients: 'seen',
  due: (asked) => sql`
    select b.id, 'pain.' || b.id || '.' || b.pain as key, b.created_at as at, ${NO_WARNING}, b.patient_profile_id
    from session_feedback b
    where b.organization_id = ${CLINIC} and b.created_at >= ${asked.painSince} and b.pain >= ${sql.lit(asked.strongPain)}
      ${onlyIds(sql`b.id`, asked)}`,
  join: rowOf('session_feedback'),
  params: () =>
    sql`jsonb_build_object('severity', x.pain, 'warning_signs', '[]'::jsonb, 'session_run_id', x.session_run_id)`,
}

/** Patients with an active plan that has not ended, who started no session since `quietSince`; of a new plan since it began. */
export const quietPatients: FactSource = {
  kind: 'not_exercising',
  patients: 'seen',
  due: (asked) => sql`
    select q.id, 'not_exercising.' || q.patient_profile_id || '.' || ${stamp(sql`q.last_at`)} as key, q.last_at as at,
      ${NO_WARNING}, q.patient_profile_id
    from (
      select a.id, a.patient_profile_id, greatest(a.began_at, r.started_at) as last_at
      from (
        select distinct on (t.patient_profile_id) t.patient_profile_id, t.id,
          greatest(t.activated_at, t.starts_on::timestamptz) as began_at
        from treatment_plans t
        where t.organization_id = ${CLINIC} and t.status = 'active' and (t.ends_on is null or t.ends_on >= ${asked.today}::date)
          and t.patient_profile_id not in (select r.patient_profile_id from session_runs r
            where r.organization_id = ${CLINIC} and r.started_at >= ${asked.quietSince})
          ${onlyIds(sql`t.patient_profile_id`, asked)}
        order by t.patient_profile_id, began_at desc, t.id
      ) a
      left join lateral (
        select s.started_at from session_runs s
        where s.organization_id = ${CLINIC} and s.patient_profile_id = a.patient_profile_id
        order by s.started_at desc limit 1
      ) r on true
      where a.began_at < ${asked.quietSince}
    ) q where q.last_at < ${asked.quietSince}`,
  join: rowOf('treatment_plans'),
  params: () => sql`jsonb_build_object('treatment_plan_id', x.id, 'title', x.title, 'last_run_at', (
    select ${iso(sql`s.started_at`)} from session_runs s
    where s.organization_id = ${CLINIC} and s.patient_profile_id = f.patient_profile_id order by s.started_at desc limit 1))`,
}

const TITLES = sql`(select coalesce(jsonb_object_agg(language, jsonb_build_object('title', words -> 'title')), '{}')
  from jsonb_each(x.translations) t (language, words) where words ->> 'title' is not null)`

export const formsToSign: FactSource = {
  kind: 'to_sign',
  patients: 'seen',
  due: (asked) => sql`
    select w.id, 'to_sign.' || w.id || '.' || ${stamp(sql`w.completed_at`)} as key, w.completed_at as at, ${NO_WARNING},
      w.patient_profile_id
    from forms w
    where w.organization_id = ${CLINIC} and w.status = 'completed' and w.signed_by = 'staff' ${onlyIds(sql`w.id`, asked)}`,
  join: rowOf('forms'),
  params: () => sql`jsonb_build_object('form_id', x.id, 'title', x.title, 'translations', ${TITLES})`,
}

export const endingPlans: FactSource = {
  kind: 'plan_ends',
  patients: 'seen',
  due: (asked) => sql`
    select t.id, 'plan_ends.' || t.id || '.' || t.ends_on as key, t.ends_on::timestamp at time zone ${asked.time_zone} as at,
      ${NO_WARNING}, t.patient_profile_id
    from treatment_plans t
    where t.organization_id = ${CLINIC} and t.status = 'active' and t.ends_on >= ${asked.today}::date
      and t.ends_on <= ${asked.today}::date + ${asked.planEndsDays}::integer ${onlyIds(sql`t.id`, asked)}`,
  join: rowOf('treatment_plans'),
  params: () => sql`jsonb_build_object('treatment_plan_id', x.id, 'title', x.title, 'ends_on', x.ends_on)`,
}

/** Sessions of which measurements are missing. */
export const incompleteRuns: FactSource = {
  kind: 'incomplete',
  patients: 'seen',
  due: (asked) => sql`
    select m.run_id as id, 'incomplete.' || m.run_id as key, coalesce(m.started_at, m.created_at) as at, ${NO_WARNING},
      m.patient_profile_id
    from media_session_metrics m
    where m.organization_id = ${CLINIC} and not m.is_complete and m.created_at >= ${asked.incompleteSince}
      ${onlyIds(sql`m.run_id`, asked)}`,
  params: () => sql`jsonb_build_object('session_run_id', f.id)`,
}

/** Forms that were not filled in when their visit had ended. */
export const incompleteForms: FactSource = {
  kind: 'incomplete',
  patients: 'seen',
  due: (asked) => sql`
    select w.id, 'incomplete.' || w.id as key, a.ends_at as at, ${NO_WARNING}, w.patient_profile_id
    from appointments a
    join forms w on w.organization_id = ${CLINIC} and w.appointment_id = a.id and w.status in ('pending', 'in_progress')
    where a.organization_id = ${CLINIC} and a.status in ('confirmed', 'checked_in', 'completed')
      and a.starts_at >= ${asked.incompleteSince} and a.starts_at < ${asked.now} and a.ends_at < ${asked.now}
      ${onlyIds(sql`w.id`, asked)}`,
  join: rowOf('forms'),
  params: () => sql`jsonb_build_object('form_id', x.id, 'appointment_id', x.appointment_id, 'title', x.title,
    'translations', ${TITLES})`,
}

/** Requests that are not fulfilled, without failed ones that were repeated. Deleted patients keep their rights. */
export const dueRequests: FactSource = {
  kind: 'request_due',
  patients: 'any',
  due: (asked) => sql`
    select g.id, 'request_due.' || g.id as key, g.created_at as at, ${NO_WARNING}, g.patient_profile_id
    from privacy_requests g
    where g.organization_id = ${CLINIC} and g.created_at < ${asked.requestedBefore}
      and (g.status in ('accepted', 'active') or g.status = 'error' and not exists (select 1 from privacy_requests later
        where later.organization_id = ${CLINIC} and later.patient_id = g.patient_id and later.kind = g.kind
          and later.created_at > g.created_at)) ${onlyIds(sql`g.id`, asked)}`,
  join: rowOf('privacy_requests'),
  params: ({
    requestDueDays,
  }) => sql`jsonb_build_object('privacy_request_id', x.id, 'request', x.kind, 'status', x.status,
    'due_at', ${iso(sql`x.created_at + make_interval(days => ${requestDueDays}::integer)`)})`,
}

/** The profiles of patients whom this specialist leads or who have a visit with the specialist. */
export const profilesOf = (specialistId: RawBuilder<unknown>) => sql`
  select p.patient_profile_id from patients p
  where p.organization_id = ${CLINIC} and p.deleted_at is null and p.lead_specialist_id = ${specialistId}
  union
  select v.patient_profile_id from appointments v
  where v.organization_id = ${CLINIC} and v.specialist_id = ${specialistId} and v.patient_profile_id is not null
    and v.status not in ('waitlist', 'cancelled', 'entered_in_error')`
