-- A render is of an exercise that the organization may use: the platform's or its own.
-- Security definer: must see every exercise.
create or replace function renders_check_exercise() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from exercises where id = new.exercise_id
      and (organization_id is null or organization_id = new.organization_id)) then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation', constraint = 'renders_exercise_fkey';
  end if;
  return new;
end
$$;
alter function renders_check_exercise() owner to tendon_definer;

-- Takes the next render for a worker: at most p_per_organization of one organization run at a time, and the organization that
-- was served longest ago comes first. A render whose worker was silent for a minute is taken over. One that was restarted waits
-- until its previous videos are deleted at the host, ten minutes at most. The lock serializes claims.
-- Security definer (all organizations): over all organizations.
create or replace function claim_render(p_worker_id uuid, p_now timestamptz, p_per_organization integer)
returns table (render_id uuid, render_organization_id uuid) language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_render', 0));
  return query
    with running as (
      select organization_id, count(*) as count from renders
      where status in ('rendering', 'uploading') and heartbeat_at > p_now - interval '60 seconds' group by organization_id),
    next as (
      select r.id from renders r
      left join running on running.organization_id = r.organization_id
      where r.status in ('queued', 'rendering', 'uploading') and r.run_at <= p_now
        and (r.status = 'queued' or r.heartbeat_at is null or r.heartbeat_at <= p_now - interval '60 seconds')
        and (r.abandoned_references = '{}' and r.abandoned_reference is null or r.run_at <= p_now - interval '10 minutes')
        and coalesce(running.count, 0) < p_per_organization
      order by coalesce(running.count, 0),
        (select max(o.started_at) from renders o where o.organization_id = r.organization_id) nulls first, r.run_at, r.id
      limit 1 for update of r skip locked)
    update renders r set status = 'rendering', worker_id = p_worker_id, heartbeat_at = p_now, started_at = p_now,
      attempts = r.attempts + 1, progress = 0, stage = 'normalising', waiting_for = null
    from next where r.id = next.id
    returning r.id, r.organization_id;
end
$$;
alter function claim_render(uuid, timestamptz, integer) owner to tendon_definer;
grant execute on function claim_render(uuid, timestamptz, integer) to tendon_worker;

-- The render that the host knows by this reference. Security definer (no context yet): a webhook names no organization.
create or replace function find_hosted_render(p_provider text, p_reference text)
returns table (render_id uuid, render_organization_id uuid) language sql stable security definer set search_path = public as $$
  select id, organization_id from renders where host_provider = p_provider and host_reference = p_reference
$$;
alter function find_hosted_render(text, text) owner to tendon_definer;
grant execute on function find_hosted_render(text, text) to tendon_app;

-- Renders whose host is to be asked now. Asking again is put off, so that two workers do not ask at once.
-- Security definer (all organizations): over all organizations.
create or replace function claim_render_polls(p_now timestamptz, p_again_at timestamptz, p_limit integer)
returns table (render_id uuid, render_organization_id uuid) language sql security definer set search_path = public as $$
  with due as (
    select id from renders where status = 'transcoding' and poll_at <= p_now order by poll_at limit p_limit
    for update skip locked)
  update renders r set poll_at = p_again_at, waiting_for = null from due where r.id = due.id returning r.id, r.organization_id
$$;
alter function claim_render_polls(timestamptz, timestamptz, integer) owner to tendon_definer;
grant execute on function claim_render_polls(timestamptz, timestamptz, integer) to tendon_worker;

-- Renders that nothing uses any more: of an older asset version or a deleted exercise, or failed and cancelled ones, when no
-- exercise of a plan plays them, a day after their last change. Security definer (all organizations): over all organizations.
create or replace function list_unused_renders(p_now timestamptz, p_limit integer)
returns table (render_id uuid, render_organization_id uuid, host_reference text)
language sql stable security definer set search_path = public as $$
  select r.id, r.organization_id, r.host_reference from renders r
  where r.status in ('ready', 'failed', 'cancelled') and r.updated_at < p_now - interval '1 day'
    and r.abandoned_references = '{}' and r.abandoned_reference is null
    and not exists (select 1 from session_exercises s
      where s.organization_id = r.organization_id and s.film_render_id = r.id and s.removed_at is null)
    and (r.status <> 'ready'
      or exists (select 1 from exercises e where e.id = r.exercise_id and e.deleted_at is not null)
      or not exists (select 1 from exercise_bundles b where b.exercise_id = r.exercise_id and b.asset_version = r.asset_version))
  order by r.updated_at limit p_limit
$$;
alter function list_unused_renders(timestamptz, integer) owner to tendon_definer;
grant execute on function list_unused_renders(timestamptz, integer) to tendon_worker;

-- Deletes a render that list_unused_renders gave, unless it is used again. Security definer (all organizations): no policy lets callers delete.
create or replace function delete_unused_render(p_id uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  update session_exercises s set film_render_id = null from renders r
    where r.id = p_id and s.organization_id = r.organization_id and s.film_render_id = r.id and s.removed_at is not null;
  delete from renders r where r.id = p_id and r.status in ('ready', 'failed', 'cancelled')
    and r.abandoned_references = '{}' and r.abandoned_reference is null
    and not exists (select 1 from session_exercises s where s.organization_id = r.organization_id and s.film_render_id = r.id);
  return found;
end
$$;
alter function delete_unused_render(uuid) owner to tendon_definer;
grant execute on function delete_unused_render(uuid) to tendon_worker;

-- Deletes the files of bundles that no render and no current version needs, a day after they were replaced; a trigger releases
-- their objects. Security definer (all organizations): no policy lets callers delete.
create or replace function delete_unused_bundle_files(p_now timestamptz) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  delete from exercise_bundle_files f using exercise_bundles b
    where b.exercise_id = f.exercise_id and f.removed_version is not null and b.updated_at < p_now - interval '1 day'
      and not exists (select 1 from renders r where r.exercise_id = f.exercise_id
        and r.status in ('queued', 'rendering', 'uploading', 'transcoding')
        and r.asset_version >= f.added_version and r.asset_version < f.removed_version);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function delete_unused_bundle_files(timestamptz) owner to tendon_definer;
grant execute on function delete_unused_bundle_files(timestamptz) to tendon_worker;

-- Where the films of exercises in plans play, once ready. Security definer (one person across clinics): patients see no renders, but theirs play.
create or replace function list_ready_films(p_session_exercise_ids uuid[])
returns table (session_exercise_id uuid, host_provider text, host_reference text, duration_seconds double precision)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select s.id, r.host_provider, r.host_reference, r.duration_seconds
    from session_exercises s
    join renders r on r.organization_id = s.organization_id and r.id = s.film_render_id
    where s.id = any (p_session_exercise_ids) and r.status = 'ready'
      and (s.organization_id = current_app_org_id() or s.patient_profile_id = any (current_app_profile_ids()::uuid[]));
end
$$;
alter function list_ready_films(uuid[]) owner to tendon_definer;
grant execute on function list_ready_films(uuid[]) to tendon_app;

-- Where a render plays. Security definer (no context yet): its signed URL names no organization.
create or replace function find_public_render(p_id uuid)
returns table (status text, host_provider text, host_reference text) language sql stable security definer set search_path = public as $$
  select status, host_provider, host_reference from renders where id = p_id
$$;
alter function find_public_render(uuid) owner to tendon_definer;
grant execute on function find_public_render(uuid) to tendon_app;

-- A plan that becomes active gets a film for each exercise. Security definer: callers do not write when a film is due.
create or replace function treatment_plans_request_films() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update session_exercises e set film_due_at = now() from plan_sessions s
    where s.organization_id = new.organization_id and s.treatment_plan_id = new.id
      and e.organization_id = s.organization_id and e.plan_session_id = s.id and e.removed_at is null;
  return null;
end
$$;
alter function treatment_plans_request_films() owner to tendon_definer;

-- An exercise that is added to an active plan, or changed in it, gets a new film. Security definer: as above.
create or replace function session_exercises_request_film() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'UPDATE' and (new.sets, new.reps, new.side) is not distinct from (old.sets, old.reps, old.side) then
    return new;
  end if;
  new.film_render_id := null;
  if exists (select 1 from plan_sessions s
      join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id
      where s.organization_id = new.organization_id and s.id = new.plan_session_id and p.status = 'active') then
    new.film_due_at := now();
  end if;
  return new;
end
$$;
alter function session_exercises_request_film() owner to tendon_definer;

-- Exercises of plans whose film is due, with what decides its content; each is put off, so that two workers do not take it at
-- once. Not while processing of the patient's data is restricted. Security definer (all organizations): over all organizations.
create or replace function claim_due_films(p_now timestamptz, p_again_at timestamptz, p_limit integer)
returns table (session_exercise_id uuid, film_organization_id uuid, exercise_id uuid, sets integer, reps integer, side text, language text)
language sql security definer set search_path = public as $$
  with due as (
    select e.id from session_exercises e
    where e.film_due_at <= p_now and not exists (select 1 from patients p where p.organization_id = e.organization_id
      and p.patient_profile_id = e.patient_profile_id and p.restricted_at is not null)
    order by e.film_due_at limit p_limit for update skip locked)
  update session_exercises e set film_due_at = p_again_at from due, organizations o, patient_profiles f
    left join humans h on h.id = f.human_id
  where e.id = due.id and o.id = e.organization_id and f.id = e.patient_profile_id
  returning e.id, e.organization_id, e.exercise_id, e.sets, e.reps, e.side, coalesce(h.preferred_language, o.language_code)
$$;
alter function claim_due_films(timestamptz, timestamptz, integer) owner to tendon_definer;
grant execute on function claim_due_films(timestamptz, timestamptz, integer) to tendon_worker;

-- Sets the film of an exercise in a plan (null: it gets none), or puts it off. Security definer (all organizations): see above.
create or replace function set_film(p_session_exercise_id uuid, p_organization_id uuid, p_render_id uuid, p_due_at timestamptz) returns void
language sql security definer set search_path = public as $$
  update session_exercises set film_render_id = p_render_id, film_due_at = p_due_at
  where id = p_session_exercise_id and organization_id = p_organization_id
$$;
alter function set_film(uuid, uuid, uuid, timestamptz) owner to tendon_definer;
grant execute on function set_film(uuid, uuid, uuid, timestamptz) to tendon_worker;

-- Videos at the host that nothing plays: of cancelled and failed renders, and of restarted ones. Security definer (all organizations): over all
-- organizations.
create or replace function list_abandoned_host_videos(p_limit integer)
returns table (render_id uuid, render_organization_id uuid, host_reference text)
language sql stable security definer set search_path = public as $$
  select id, organization_id, reference from (
    select r.id, r.organization_id, r.host_reference as reference, r.updated_at from renders r
    where r.status in ('failed', 'cancelled') and r.host_reference is not null
    union all
    select r.id, r.organization_id, a.reference, r.updated_at from renders r, unnest(r.abandoned_references) as a (reference)
    where r.abandoned_references <> '{}'
    union all
    select r.id, r.organization_id, r.abandoned_reference, r.updated_at from renders r
    where r.abandoned_reference is not null and r.abandoned_reference is distinct from r.host_reference) videos
  order by updated_at limit p_limit
$$;
alter function list_abandoned_host_videos(integer) owner to tendon_definer;
grant execute on function list_abandoned_host_videos(integer) to tendon_worker;

-- Requests films for exercises of active plans when a bundle is added or changed. Waits a minute, because more files usually follow.
-- Not while processing of the patient's data is restricted. Security definer: over all organizations.
create or replace function exercise_bundles_request_films() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update session_exercises e set film_due_at = now() + interval '1 minute'
  from plan_sessions s
  join treatment_plans p on p.organization_id = s.organization_id and p.id = s.treatment_plan_id and p.status = 'active'
  where e.exercise_id = new.exercise_id and e.removed_at is null and e.film_render_id is null and e.film_due_at is null
    and s.organization_id = e.organization_id and s.id = e.plan_session_id
    and not exists (select 1 from patients r where r.organization_id = e.organization_id
      and r.patient_profile_id = e.patient_profile_id and r.restricted_at is not null);
  return null;
end
$$;
alter function exercise_bundles_request_films() owner to tendon_definer;

-- Renders that have not ended, for metrics. Security definer (all organizations): over all organizations.
create or replace function count_active_renders() returns table (status text, count integer, oldest_at timestamptz)
language sql stable security definer set search_path = public as $$
  select r.status, count(*)::integer, min(r.run_at) from renders r
  where r.status in ('queued', 'rendering', 'uploading', 'transcoding') group by r.status
$$;
alter function count_active_renders() owner to tendon_definer;
grant execute on function count_active_renders() to tendon_worker;
