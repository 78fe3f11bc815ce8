-- What the reviews of clinical content and session runs changed after 0023 to 0030 had landed.
-- Databases were made while those files were edited in place, too: what is there already stays or is made anew.

-- Who is in a segment is told to those only who may see patients.
drop policy segment_members_select on segment_members;
create policy segment_members_select on segment_members for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('segments', 'view'))
  and (select current_app_has_permission('patients', 'view_org')));
-- Support was given it at first; roles that a clinic has changed are the clinic's own. By a function, since row-level
-- security shows the owner of the table nothing.
create function take_segments_from_support() returns void language sql security definer set search_path = public as $$
  delete from role_permissions p using roles r
    where r.id = p.role_id and p.permission_code = 'segments.view' and r.code = 'customer_support' and r.customized_at is null
$$;
alter function take_segments_from_support() owner to tendon_definer;
select take_segments_from_support();
drop function take_segments_from_support();

-- The evidence in other languages.
alter table exercise_prerequisites add column if not exists translations jsonb not null default '{}';     -- {ro: {clinical_basis}}
alter table exercise_contraindications add column if not exists translations jsonb not null default '{}'; -- {ro: {description, clinical_basis}}
grant insert (translations) on exercise_prerequisites, exercise_contraindications to tendon_app;

create or replace function clone_exercise(p_id uuid, p_name text, p_slug text) returns uuid
language plpgsql security definer set search_path = public as $$
declare
  v_source exercises;
  v_copy uuid;
  v_suffix text := '-copy';
  v_count integer := 1;
begin
  -- For share: whoever changes a part of an exercise locks the exercise, so what is copied belongs together.
  select * into v_source from exercises
    where id = p_id and deleted_at is null and current_app_has_permission('exercises', 'manage_org')
      and (organization_id is null or organization_id = current_app_scope())
    for share;
  if not found then
    return null;
  end if;
  loop
    insert into exercises (organization_id, name, slug, description, instructions_summary, difficulty, estimated_duration_seconds,
        kind, translations, video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key,
        cloned_from_id)
      values (current_app_scope(), coalesce(p_name, v_source.name),
        coalesce(p_slug, rtrim(left(v_source.slug, 63 - length(v_suffix)), '-') || v_suffix), v_source.description,
        v_source.instructions_summary, v_source.difficulty, v_source.estimated_duration_seconds, v_source.kind,
        case when p_name is null then v_source.translations else v_source.translations #- '{ro,name}' #- '{en,name}' end,
        v_source.video_url, v_source.video_provider, v_source.video_thumbnail_url, v_source.video_duration_seconds,
        v_source.video_object_key, v_source.id)
      on conflict (organization_id, slug) where deleted_at is null do nothing
      returning id into v_copy;
    exit when v_copy is not null;
    if p_slug is not null then
      raise exception 'the slug is taken' using errcode = 'unique_violation', constraint = 'exercises_slug_key';
    end if;
    v_count := v_count + 1;
    v_suffix := '-copy-' || v_count;
  end loop;
  insert into exercise_instructions (exercise_id, sort_order, title, content, image_url, image_object_key, instruction_type,
      translations)
    select v_copy, sort_order, title, content, image_url, image_object_key, instruction_type, translations
    from exercise_instructions where exercise_id = p_id order by sort_order, id;
  insert into exercise_tags (exercise_id, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at)
    select v_copy, axis, tag_id, clinical_basis, tagged_by_principal_id, tagged_at from exercise_tags where exercise_id = p_id;
  insert into exercise_contraindications (exercise_id, condition_id, severity, description, clinical_basis, translations,
      tagged_by_principal_id, tagged_at)
    select v_copy, condition_id, severity, description, clinical_basis, translations, tagged_by_principal_id, tagged_at
    from exercise_contraindications where exercise_id = p_id order by id;
  return v_copy;
end
$$;

drop function plan_contraindications(uuid, uuid[]);
drop function plan_prerequisites(uuid, uuid[]);
create function plan_contraindications(p_patient_profile_id uuid, p_exercise_ids uuid[]) returns table (
  exercise_id uuid, contraindication_id uuid, severity text, description text, clinical_basis text, translations jsonb,
  tagged_by_principal_id uuid, tagged_at timestamptz, patient_condition_id uuid, condition_id uuid, condition_slug text, condition_name text,
  condition_icd10_code text, since date, recorded_by_principal_id uuid, recorded_at timestamptz
) language sql stable security definer set search_path = public as $$
  with present as materialized (
    select p.*, current_condition(p.condition_id) as stands_for from patient_conditions p
    where p.organization_id = current_app_org_id() and p.patient_profile_id = p_patient_profile_id
      and (current_app_has_permission('treatment_plans', 'view_org') or current_app_has_permission('treatment_plans', 'manage')))
  select c.exercise_id, c.id, c.severity, c.description, c.clinical_basis, c.translations, c.tagged_by_principal_id,
    c.tagged_at, p.id, t.id, t.slug, t.name, t.icd10_code, p.since, p.created_by_principal_id, p.created_at
  from exercise_contraindications c
  join present p on p.stands_for = current_condition(c.condition_id)
  join taxonomy_tags t on t.id = p.condition_id
  where c.exercise_id = any (p_exercise_ids) and (c.organization_id is null or c.organization_id = current_app_org_id())
  order by c.tagged_at, c.id, p.created_at, p.id
$$;
create function plan_prerequisites(p_patient_profile_id uuid, p_exercise_ids uuid[]) returns table (
  exercise_id uuid, prerequisite_exercise_id uuid, prerequisite_name text, prerequisite_slug text, clinical_basis text,
  translations jsonb, tagged_by_principal_id uuid, tagged_at timestamptz, completed boolean
) language sql stable security definer set search_path = public as $$
  select p.exercise_id, e.id, e.name, e.slug, p.clinical_basis, p.translations, p.tagged_by_principal_id, p.tagged_at,
    exercise_completed(p_patient_profile_id, e.id)
  from exercise_prerequisites p
  join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
  where p.exercise_id = any (p_exercise_ids) and (p.organization_id is null or p.organization_id = current_app_org_id())
    and (current_app_has_permission('treatment_plans', 'view_org') or current_app_has_permission('treatment_plans', 'manage'))
  order by p.tagged_at, e.id
$$;
alter function plan_contraindications(uuid, uuid[]) owner to tendon_definer;
alter function plan_prerequisites(uuid, uuid[]) owner to tendon_definer;
grant execute on function plan_contraindications(uuid, uuid[]), plan_prerequisites(uuid, uuid[]) to tendon_app;

-- The newest active version of a pose configuration is the one in force. Versions stay as they were written: what a session
-- was measured by can be looked up.
alter table exercise_pose_configs drop constraint if exists exercise_pose_configs_status_check;
alter table exercise_pose_configs add constraint exercise_pose_configs_status_check check (status in ('draft', 'active'));
drop policy if exists exercise_pose_configs_update on exercise_pose_configs;
revoke update (status) on exercise_pose_configs from tendon_app;

-- What a patient says of a run waits for the patient's record as the run did: a deletion or an erasure under way has taken
-- everything along, and nothing comes after it.
create or replace function session_run_part_fits() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform 1 from patients
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and deleted_at is null for share;
  if not found then
    raise exception 'no such session run' using errcode = 'foreign_key_violation', constraint = tg_table_name || '_run_fkey';
  end if;
  return new;
end
$$;
alter function session_run_part_fits() owner to tendon_definer;
create or replace trigger session_run_events_fit before insert on session_run_events
  for each row when (new.client_event_id is not null) execute function session_run_part_fits();
create or replace trigger pain_reports_fit before insert on pain_reports for each row execute function session_run_part_fits();
-- Given anew it is an insert too; only an erasure updates alone.
create or replace trigger session_feedback_fit before insert on session_feedback for each row execute function session_run_part_fits();
drop trigger if exists session_feedback_refuse_restricted on session_feedback;
create or replace trigger session_feedback_refuse_restricted before insert on session_feedback
  for each row execute function refuse_restricted();

revoke all on exercise_outcomes from tendon_platform;  -- people are told apart in it: only functions read it

-- Whether a time lies in days of a time zone, both inclusive. The first two conditions are for the indexes; where clocks
-- are put back at midnight, which comes twice, only the third is exact.
create or replace function lies_in_days(p_time timestamptz, p_zone text, p_from date, p_to date) returns boolean
language sql stable parallel safe as $$
  select p_time >= (p_from - 1)::timestamp at time zone p_zone and p_time < (p_to + 2)::timestamp at time zone p_zone
    and (p_time at time zone p_zone)::date between p_from and p_to
$$;
grant execute on function lies_in_days(timestamptz, text, date, date) to tendon_definer;

create or replace function cohort_outcomes(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, prescribed_repetitions integer,
  measured boolean, repetitions integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  select c.patient_profile_id, c.exercise_id, n.name, c.outcome, c.prescribed_repetitions, c.measured, c.repetitions,
    c.range_mean_degrees
  from organizations o
  join exercise_outcomes c on c.organization_id = o.id and lies_in_days(c.started_at, o.time_zone, p_from, p_to)
  join exercises n on n.id = c.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or c.program_id = p_program_id)
$$;
create or replace function stats_runs(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, status text, duration_seconds double precision, perceived_exertion integer, pain integer,
  startup_ms integer, rebuffer_pct double precision, is_complete boolean
) language sql stable security definer set search_path = public as $$
  select r.patient_profile_id, (r.started_at at time zone o.time_zone)::date, r.status,
    extract(epoch from r.last_event_at - r.started_at)::double precision, f.perceived_exertion, f.pain,
    m.startup_ms, m.rebuffer_pct, m.is_complete
  from organizations o
  join session_runs r on r.organization_id = o.id and lies_in_days(r.started_at, o.time_zone, p_from, p_to)
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_feedback f on f.session_run_id = r.id
  left join media_session_metrics m on m.organization_id = o.id and m.run_id = r.id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;
create or replace function stats_exercises(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, exercise_id uuid, exercise_name text, outcome text, pauses integer, pain_reports integer,
  pain_max integer, measured boolean, repetitions integer, range_mean_degrees double precision
) language sql stable security definer set search_path = public as $$
  with runs as materialized (
    select r.organization_id, r.id, r.patient_profile_id, r.session_exercise_ids
    from organizations o
    join session_runs r on r.organization_id = o.id and lies_in_days(r.started_at, o.time_zone, p_from, p_to)
    join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
    where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
      and (p_program_id is null or p.program_id = p_program_id)),
  events as (
    select v.session_run_id, v.session_exercise_id, max(v.type) filter (where v.type <> 'paused_for_pain') as outcome,
      (count(*) filter (where v.type = 'paused_for_pain'))::integer as pauses
    from runs r join session_run_events v on v.session_run_id = r.id and v.type <> 'started' group by 1, 2),
  pain as (
    select a.session_run_id, a.session_exercise_id, count(*)::integer as reports, max(a.severity) as severest
    from runs r join pain_reports a on a.session_run_id = r.id group by 1, 2)
  select r.patient_profile_id, e.exercise_id, n.name, v.outcome, coalesce(v.pauses, 0), coalesce(a.reports, 0), a.severest,
    m.measured, m.repetitions, m.range_mean_degrees
  from runs r
  cross join unnest(r.session_exercise_ids) x (id)
  join session_exercises e on e.organization_id = r.organization_id and e.id = x.id
  join exercises n on n.id = e.exercise_id
  left join events v on v.session_run_id = r.id and v.session_exercise_id = x.id
  left join pain a on a.session_run_id = r.id and a.session_exercise_id = x.id
  left join pose_session_metrics m on m.organization_id = r.organization_id and m.run_id = r.id and m.media_id = x.id::text
$$;
create or replace function stats_pain(p_program_id uuid, p_from date, p_to date) returns table (
  patient_profile_id uuid, day date, severity integer, action text, exercise_id uuid, exercise_name text
) language sql stable security definer set search_path = public as $$
  select a.patient_profile_id, (a.created_at at time zone o.time_zone)::date, a.severity, a.action, e.exercise_id, n.name
  from organizations o
  join pain_reports a on a.organization_id = o.id and lies_in_days(a.created_at, o.time_zone, p_from, p_to)
  join session_runs r on r.organization_id = o.id and r.id = a.session_run_id
  join treatment_plans p on p.organization_id = o.id and p.id = r.treatment_plan_id
  left join session_exercises e on e.organization_id = o.id and e.id = a.session_exercise_id
  left join exercises n on n.id = e.exercise_id
  where o.id = current_app_org_id() and current_app_has_permission('stats', 'view_org')
    and (p_program_id is null or p.program_id = p_program_id)
$$;

-- Fewer than ten people are nobody's business, nor are the repetitions of fewer than ten among them.
create or replace function platform_exercise_counts() returns table (
  exercise_id uuid, exercise_name text, exercise_slug text, people integer, assigned integer, completed integer, skipped integer,
  abandoned integer, measured integer, repetitions bigint
) language sql stable security definer set search_path = public as $$
  select n.id, n.name, n.slug, count(distinct c.person_id)::integer, count(*)::integer,
    (count(*) filter (where c.outcome = 'completed'))::integer, (count(*) filter (where c.outcome = 'skipped'))::integer,
    (count(*) filter (where c.outcome = 'abandoned'))::integer, (count(*) filter (where c.measured))::integer,
    case when count(distinct c.person_id) filter (where c.repetitions is not null) >= 10 then sum(c.repetitions) end
  from exercise_outcomes c join exercises n on n.id = c.exercise_id and n.organization_id is null
  group by n.id having count(distinct c.person_id) >= 10
  order by n.name, n.id
$$;
