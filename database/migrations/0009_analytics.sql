-- Statistics. Each exercise of each finished run with its outcome, refreshed by the worker. One person may have several
-- profiles and counts once; an erased patient counts as nobody, because each of their profiles would count as a person.
create materialized view exercise_outcomes as
  select r.organization_id, r.id as run_id, e.id as session_exercise_id, e.exercise_id, p.program_id, r.started_at,
    r.patient_profile_id,
    case when a.erased_at is null and (f.human_id is not null or a.deleted_at is null) then coalesce(f.human_id, f.id) end
      as person_id,
    v.type as outcome, x.sets * x.reps as prescribed_repetitions, m.measured, m.repetitions, m.range_mean_degrees
  from session_runs r
  cross join lateral jsonb_to_recordset(r.prescription) as x (id uuid, sets integer, reps integer)
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join treatment_plans p on p.organization_id = r.organization_id and p.id = r.treatment_plan_id
  join patients a on a.organization_id = r.organization_id and a.patient_profile_id = r.patient_profile_id
  join patient_profiles f on f.id = r.patient_profile_id
  left join session_run_events v on v.session_run_id = r.id and v.session_exercise_id = e.id
    and v.type in ('completed', 'skipped', 'abandoned')
  left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = e.id::text
  where r.status <> 'in_progress'
  with no data;
create unique index exercise_outcomes_key on exercise_outcomes (run_id, session_exercise_id);
create index exercise_outcomes_started_idx on exercise_outcomes (organization_id, started_at);
create index exercise_outcomes_exercise_idx on exercise_outcomes (exercise_id);
alter materialized view exercise_outcomes owner to tendon_definer;
refresh materialized view exercise_outcomes;  -- as its new owner, who bypasses row-level security
-- The view identifies people, so only functions read it.
revoke all on exercise_outcomes from tendon_platform;
