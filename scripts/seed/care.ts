// One in five patients has an active plan of two sessions with four exercises each, one in ten an old one. Each session of
// an active plan was done at home some times.

const RUNS_OF_SESSION = 3

const PLANS = `
  with made as (
    insert into treatment_plans (organization_id, patient_profile_id, title, status, starts_on, ends_on, activated_at, completed_at,
      created_by_principal_id, created_at, updated_at)
    select p.organization_id, p.profile_id, 'Recuperare genunchi', case when p.place % 10 = 9 then 'completed' else 'active' end,
      at::date, case when p.place % 10 = 9 then at::date + 30 else current_date + 60 end, at,
      case when p.place % 10 = 9 then at + interval '30 days' end, c.admin_id, at, at
    from seed_patients p join seed_clinics c on c.id = p.organization_id,
      lateral (select now() - (42 + p.place % 28) * interval '1 day' as at) x
    where p.place % 10 in (0, 2, 9)
    returning id, organization_id, patient_profile_id)
  insert into plan_sessions (organization_id, treatment_plan_id, patient_profile_id, position, title)
  select m.organization_id, m.id, m.patient_profile_id, s, 'Ședința ' || s from made m, generate_series(1, 2) s order by m.id, s`

const EXERCISES = `
  insert into session_exercises (organization_id, plan_session_id, patient_profile_id, exercise_id, position, sets, reps, rest_seconds)
  select s.organization_id, s.id, s.patient_profile_id, e.id, e.position, 2, 8, 20
  from seed_clinics c join plan_sessions s on s.organization_id = c.id,
    (select id, row_number() over (order by slug) as position from exercises
      where organization_id is null and status = 'published' and deleted_at is null order by slug limit 4) e`

/** With the copy of the session's exercises that a trigger makes when a patient starts it. */
const RUNS = `
  with sessions as materialized (
    select s.organization_id, s.id, s.patient_profile_id, s.treatment_plan_id, s.position, ids,
      build_prescription(s.organization_id, ids) as prescription
    from seed_clinics c
    join treatment_plans p on p.organization_id = c.id and p.status = 'active'
    join plan_sessions s on s.organization_id = c.id and s.treatment_plan_id = p.id
    join lateral (select array_agg(e.id order by e.position) as ids from session_exercises e
      where e.organization_id = s.organization_id and e.plan_session_id = s.id) e on true)
  insert into session_runs (organization_id, patient_profile_id, treatment_plan_id, plan_session_id, session_exercise_ids, prescription,
    status, started_at, last_event_at, ended_at)
  select organization_id, patient_profile_id, treatment_plan_id, id, ids, prescription,
    'ended_naturally', at, at + interval '20 minutes', at + interval '20 minutes'
  from sessions, generate_series(1, ${RUNS_OF_SESSION}) n,
    lateral (select now() - (n * 12 - position * 5 + abs(hashtext(id::text)) % 4) * interval '1 day' as at) x`

export const CARE = [
  PLANS,
  EXERCISES,
  RUNS,
  `insert into session_feedback (organization_id, session_run_id, patient_profile_id, perceived_exertion, pain, created_at)
   select r.organization_id, r.id, r.patient_profile_id, abs(hashtext(r.id::text)) % 8, abs(hashtext(r.id::text)) % 5, r.ended_at
   from seed_clinics c join session_runs r on r.organization_id = c.id`,
  `insert into pain_reports (organization_id, session_run_id, patient_profile_id, severity, action, created_at, occurred_at)
   select r.organization_id, r.id, r.patient_profile_id, 3 + abs(hashtext(r.id::text)) % 6, 'rest', r.ended_at, r.ended_at
   from seed_clinics c join session_runs r on r.organization_id = c.id where abs(hashtext(r.id::text)) % 20 = 0`,
  `insert into patient_conditions (organization_id, patient_profile_id, condition_id, since, status)
   select p.organization_id, p.profile_id, t.id, current_date - 300, 'active'
   from seed_patients p, (select id from taxonomy_tags
     where axis = 'condition' and organization_id is null order by slug limit 1) t
   where p.place % 3 = 0`,
]
