import { CLINIC } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type Asked, type FactSource, iso, NO_VISIT, NO_WARNING, onlyIds, stamp } from './fact-queries.ts'

// Facts about patients. `p` is the patient; deleted ones are left out, restricted ones are not.

const PATIENT = sql`p.id as patient_id, p.first_name || ' ' || p.last_name as patient_name, p.patient_profile_id`

const patientOf = (row: string) => sql`join patients p on p.organization_id = ${sql.ref(row)}.organization_id
  and p.patient_profile_id = ${sql.ref(row)}.patient_profile_id and p.deleted_at is null`

/** Patients whom the specialist leads or who have a visit with the specialist. */
export function isMine({ specialist }: Asked): RawBuilder<unknown> {
  if (specialist === undefined) return sql`true`
  return sql`(p.lead_specialist_id = ${specialist}::uuid or exists (select 1 from appointments v
    where v.organization_id = ${CLINIC} and v.patient_id = p.id and v.specialist_id = ${specialist}::uuid
      and v.status not in ('waitlist', 'cancelled', 'entered_in_error')))`
}

export const painReports: FactSource = (asked) => sql`
  select 'pain.' || r.id as key, coalesce(r.occurred_at, r.created_at) as at, ${PATIENT},
    cardinality(r.warning_signs) > 0 as is_warning, ${NO_VISIT},
    jsonb_build_object('severity', r.severity, 'warning_signs', r.warning_signs, 'session_run_id', r.session_run_id) as params
  from pain_reports r ${patientOf('r')}
  where r.organization_id = ${CLINIC} and r.created_at >= ${asked.painSince}
    and (r.severity >= ${sql.lit(asked.strongPain)} or cardinality(r.warning_signs) > 0) and ${isMine(asked)}
    ${onlyIds(sql`r.id`, asked)}`

/** Feedback can be changed: stronger pain is a new fact. */
export const painfulFeedback: FactSource = (asked) => sql`
  select 'pain.' || b.id || '.' || b.pain as key, b.created_at as at, ${PATIENT}, ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('severity', b.pain, 'warning_signs', '[]'::jsonb, 'session_run_id', b.session_run_id) as params
  from session_feedback b ${patientOf('b')}
  where b.organization_id = ${CLINIC} and b.created_at >= ${asked.painSince} and b.pain >= ${sql.lit(asked.strongPain)}
    and ${isMine(asked)} ${onlyIds(sql`b.id`, asked)}`

/** Patients with an active plan that has not ended, who started no session since `quietSince`; of a new plan since it began. */
export const quietPatients: FactSource = (asked) => sql`
  select 'not_exercising.' || q.id || '.' || ${stamp(sql`q.last_at`)} as key, q.last_at as at, q.id as patient_id,
    q.name as patient_name, q.patient_profile_id, ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('treatment_plan_id', q.plan_id, 'title', q.title, 'last_run_at', ${iso(sql`q.last_run_at`)}) as params
  from (
    select a.*, p.id, p.first_name || ' ' || p.last_name as name, r.started_at as last_run_at,
      greatest(a.began_at, r.started_at) as last_at
    from (
      select distinct on (t.patient_profile_id) t.patient_profile_id, t.id as plan_id, t.title,
        greatest(t.activated_at, t.starts_on::timestamptz) as began_at
      from treatment_plans t
      where t.organization_id = ${CLINIC} and t.status = 'active' and (t.ends_on is null or t.ends_on >= ${asked.today}::date)
      order by t.patient_profile_id, began_at desc, t.id
    ) a
    join patients p on p.organization_id = ${CLINIC} and p.patient_profile_id = a.patient_profile_id and p.deleted_at is null
    left join lateral (
      select s.started_at from session_runs s
      where s.organization_id = ${CLINIC} and s.patient_profile_id = a.patient_profile_id
      order by s.started_at desc limit 1
    ) r on true
    where a.began_at < ${asked.quietSince} and ${isMine(asked)} ${onlyIds(sql`p.id`, asked)}
  ) q where q.last_at < ${asked.quietSince}`

const TITLES = sql`(select coalesce(jsonb_object_agg(language, jsonb_build_object('title', words -> 'title')), '{}')
  from jsonb_each(f.translations) t (language, words) where words ->> 'title' is not null)`

export const formsToSign: FactSource = (asked) => sql`
  select 'to_sign.' || f.id || '.' || ${stamp(sql`f.completed_at`)} as key, f.completed_at as at, ${PATIENT}, ${NO_WARNING},
    ${NO_VISIT}, jsonb_build_object('form_id', f.id, 'title', f.title, 'translations', ${TITLES}) as params
  from forms f ${patientOf('f')}
  where f.organization_id = ${CLINIC} and f.status = 'completed' and f.signed_by = 'staff' and ${isMine(asked)}
    ${onlyIds(sql`f.id`, asked)}`

export const endingPlans: FactSource = (asked) => sql`
  select 'plan_ends.' || t.id || '.' || t.ends_on as key, t.ends_on::timestamp at time zone ${asked.time_zone} as at, ${PATIENT},
    ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('treatment_plan_id', t.id, 'title', t.title, 'ends_on', t.ends_on) as params
  from treatment_plans t ${patientOf('t')}
  where t.organization_id = ${CLINIC} and t.status = 'active' and t.ends_on >= ${asked.today}::date
    and t.ends_on <= ${asked.today}::date + ${asked.planEndsDays}::integer and ${isMine(asked)} ${onlyIds(sql`t.id`, asked)}`

/** Sessions of which measurements are missing. */
export const incompleteRuns: FactSource = (asked) => sql`
  select 'incomplete.' || r.id as key, r.started_at as at, ${PATIENT}, ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('session_run_id', r.id) as params
  from media_session_metrics m
  join session_runs r on r.organization_id = m.organization_id and r.id = m.run_id ${patientOf('r')}
  where m.organization_id = ${CLINIC} and not m.is_complete and m.created_at >= ${asked.incompleteSince} and ${isMine(asked)}
    ${onlyIds(sql`r.id`, asked)}`

/** Forms that were not filled in when their visit had ended. */
export const incompleteForms: FactSource = (asked) => sql`
  select 'incomplete.' || f.id as key, a.ends_at as at, ${PATIENT}, ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('form_id', f.id, 'appointment_id', a.id, 'title', f.title, 'translations', ${TITLES}) as params
  from appointments a
  join forms f on f.organization_id = a.organization_id and f.appointment_id = a.id and f.status in ('pending', 'in_progress')
  ${patientOf('f')}
  where a.organization_id = ${CLINIC} and a.status in ('confirmed', 'checked_in', 'completed')
    and a.starts_at >= ${asked.incompleteSince} and a.starts_at < ${asked.now} and a.ends_at < ${asked.now} and ${isMine(asked)}
    ${onlyIds(sql`f.id`, asked)}`

/** Requests that are not fulfilled, without failed ones that were repeated. A patient may be deleted, and then not be seen. */
export const dueRequests: FactSource = (asked) => sql`
  select 'request_due.' || g.id as key, g.created_at as at, p.id as patient_id, p.first_name || ' ' || p.last_name as patient_name,
    g.patient_profile_id, ${NO_WARNING}, ${NO_VISIT},
    jsonb_build_object('privacy_request_id', g.id, 'request', g.kind, 'status', g.status,
      'due_at', ${iso(sql`g.created_at + make_interval(days => ${asked.requestDueDays}::integer)`)}) as params
  from privacy_requests g
  left join patients p on p.organization_id = g.organization_id and p.id = g.patient_id
  where g.organization_id = ${CLINIC} and g.created_at < ${asked.requestedBefore}
    and (g.status in ('accepted', 'active') or g.status = 'error' and not exists (select 1 from privacy_requests later
      where later.organization_id = g.organization_id and later.patient_id = g.patient_id and later.kind = g.kind
        and later.created_at > g.created_at))
    and ${isMine(asked)} ${onlyIds(sql`g.id`, asked)}`
