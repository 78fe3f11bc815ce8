-- One field of translations ({ro: {name: …}}) in every language, one per line, for search.
create or replace function translated_text(p_translations jsonb, p_field text) returns text language sql immutable parallel safe strict as $$
  select coalesce(string_agg(E'\n' || (value ->> p_field), ''), '') from jsonb_each(p_translations)
$$;
grant execute on function translated_text(jsonb, text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- Whether a row of the organization (null: the platform) may refer to this tag: the platform's or its own.
-- Security definer (called by triggers): triggers check references independently of what the caller may see.
create or replace function can_use_taxonomy_tag(p_id uuid, p_axis text, p_organization_id uuid) returns boolean
language plpgsql stable security definer set search_path = public as $$
begin
  return exists (select 1 from taxonomy_tags
      where id = p_id and axis = p_axis and (organization_id is null or organization_id = p_organization_id));
end
$$;
alter function can_use_taxonomy_tag(uuid, text, uuid) owner to tendon_definer;

-- A tag refers to tags of the right axis that its organization sees. Parents and replacements contain no cycle; the lock
-- serializes two transactions that would close one together. Security definer: see can_use_taxonomy_tag.
create or replace function taxonomy_tags_check_references() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if new.parent_id is not null and not can_use_taxonomy_tag(new.parent_id, new.axis, new.organization_id) then
    raise exception 'no such parent' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_parent_fkey';
  end if;
  if new.body_region_id is not null and not can_use_taxonomy_tag(new.body_region_id, 'body_region', new.organization_id) then
    raise exception 'no such region' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_body_region_fkey';
  end if;
  if new.replaced_by_id is not null and not can_use_taxonomy_tag(new.replaced_by_id, new.axis, new.organization_id) then
    raise exception 'no such value' using errcode = 'foreign_key_violation', constraint = 'taxonomy_tags_replaced_by_fkey';
  end if;
  if coalesce(new.parent_id, new.replaced_by_id) is null then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('taxonomy_tags ' || coalesce(new.organization_id::text, 'platform'), 0));
  if exists (
    with recursive above (id) as (
      select new.parent_id union select t.parent_id from taxonomy_tags t join above on above.id = t.id)
    select 1 from above where id = new.id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'taxonomy_tags_parent_cycle_check';
  end if;
  if exists (
    with recursive after (id) as (
      select new.replaced_by_id union select t.replaced_by_id from taxonomy_tags t join after on after.id = t.id)
    select 1 from after where id = new.id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'taxonomy_tags_replaced_by_cycle_check';
  end if;
  return new;
end
$$;
alter function taxonomy_tags_check_references() owner to tendon_definer;

-- Sets the organization of the exercise, whatever the insert says. The policy then checks that it is the caller's, and answers
-- the same for another clinic's exercise and for one that does not exist. Security definer: must see every exercise.
create or replace function exercise_parts_set_organization() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  return new;
end
$$;
alter function exercise_parts_set_organization() owner to tendon_definer;

-- Allows tags of the platform and of the organization that owns the exercise. Security definer: must see every exercise.
create or replace function exercise_tags_check_tag() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not can_use_taxonomy_tag(new.tag_id, new.axis, new.organization_id) then
    raise exception 'no such value' using errcode = 'foreign_key_violation', constraint = 'exercise_tags_tag_fkey';
  end if;
  return new;
end
$$;
alter function exercise_tags_check_tag() owner to tendon_definer;

-- Security definer: see exercise_tags_check_tag.
create or replace function exercise_contraindications_check_condition() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not can_use_taxonomy_tag(new.condition_id, 'condition', new.organization_id) then
    raise exception 'no such condition' using errcode = 'foreign_key_violation',
      constraint = 'exercise_contraindications_condition_fkey';
  end if;
  return new;
end
$$;
alter function exercise_contraindications_check_condition() owner to tendon_definer;

-- A prerequisite is an exercise of the platform or of the same organization and never leads back to the exercise itself.
-- Platform exercises need platform exercises only, so a cycle is within one graph; the lock on that graph serializes two
-- transactions that would close a cycle together. Security definer: must see every exercise.
create or replace function exercise_prerequisites_check_prerequisite() returns trigger language plpgsql security definer set search_path = public as $$
begin
  select organization_id into new.organization_id from exercises where id = new.exercise_id;
  if not exists (select 1 from exercises where id = new.prerequisite_exercise_id and deleted_at is null
      and (organization_id is null or organization_id = new.organization_id))
  then
    raise exception 'no such exercise' using errcode = 'foreign_key_violation',
      constraint = 'exercise_prerequisites_prerequisite_fkey';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('exercise_prerequisites ' || coalesce(new.organization_id::text, 'platform'), 0));
  if exists (
    with recursive needed (id) as (
      select new.prerequisite_exercise_id
      union
      select p.prerequisite_exercise_id from needed n
        join exercise_prerequisites p on p.exercise_id = n.id
        join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null)
    select 1 from needed where id = new.exercise_id)
  then
    raise exception 'a circle' using errcode = 'check_violation', constraint = 'exercise_prerequisites_cycle_check';
  end if;
  return new;
end
$$;
alter function exercise_prerequisites_check_prerequisite() owner to tendon_definer;

-- Whether a session of an active treatment plan contains the exercise. Plans of deleted patients do not count: nobody can
-- remove the exercise from them. Security definer (all organizations): a platform exercise is used by every organization.
create or replace function exercise_in_use(p_exercise_id uuid) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from session_exercises e
    join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
    join treatment_plans p on p.id = s.treatment_plan_id and p.status = 'active'
    join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id
      and w.deleted_at is null
    where e.exercise_id = p_exercise_id and e.removed_at is null)
$$;
alter function exercise_in_use(uuid) owner to tendon_definer;
grant execute on function exercise_in_use(uuid) to tendon_app, tendon_platform;

-- Locks an exercise of the platform or of the organization in context (none: the platform) until the end of the transaction,
-- so that its copy is consistent: changes of its parts lock the exercise too. False when there is none.
-- Security definer (all organizations): locks exercises of the platform too, which no clinic may update.
create or replace function lock_exercise_to_clone(p_id uuid) returns boolean language sql security definer set search_path = public as $$
  with locked as (
    select 1 from exercises
    where id = p_id and deleted_at is null and current_app_has_permission('exercises', 'manage_org')
      and (organization_id is null or organization_id = current_app_scope())
    for share)
  select exists (select from locked)
$$;
alter function lock_exercise_to_clone(uuid) owner to tendon_definer;
grant execute on function lock_exercise_to_clone(uuid) to tendon_app, tendon_platform;

-- A video is more than one object, so its host deletes it. The lock: of two copies that release it at the same time, the
-- second sees that it was the last. Security definer: copies in other organizations share the video.
create or replace function exercises_release_video() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if old.video_object_key is null or old.video_object_key is not distinct from new.video_object_key then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('video ' || old.video_object_key, 0));
  if not exists (select 1 from exercises where video_object_key = old.video_object_key) then
    perform add_job('delete_exercise_video', jsonb_build_object('reference', old.video_object_key), null, null, null);
  end if;
  return null;
end
$$;
alter function exercises_release_video() owner to tendon_definer;

-- For the worker. Security definer (all organizations): over all organizations.
create or replace function is_exercise_video_used(p_reference text) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from exercises where video_object_key = p_reference)
$$;
alter function is_exercise_video_used(text) owner to tendon_definer;
grant execute on function is_exercise_video_used(text) to tendon_worker;

-- Sets the URLs of a converted video on every exercise that uses it. Returns whether there is one.
-- Security definer (all organizations): over all organizations.
create or replace function set_exercise_video_urls(p_reference text, p_url text, p_thumbnail_url text) returns boolean
language sql security definer set search_path = public as $$
  with shown as (
    update exercises set video_url = p_url, video_thumbnail_url = p_thumbnail_url where video_object_key = p_reference
    returning id, organization_id),
  told as (
    insert into outbox_events (organization_id, type, payload)
    select organization_id, 'exercise.video_ready', jsonb_build_object('exercise_id', id) from shown)
  select exists (select 1 from shown)
$$;
alter function set_exercise_video_urls(text, text, text) owner to tendon_definer;
grant execute on function set_exercise_video_urls(text, text, text) to tendon_worker;

-- Stores the name of a video at the video host, before the upload. Security definer (all organizations): covers every organization.
create or replace function set_exercise_video_host_reference(p_reference text, p_host_reference text) returns void
language sql security definer set search_path = public as $$
  update exercises set video_host_reference = p_host_reference where video_object_key = p_reference
$$;
alter function set_exercise_video_host_reference(text, text) owner to tendon_definer;
grant execute on function set_exercise_video_host_reference(text, text) to tendon_worker;

-- After a webhook about an uploaded video, makes the job that polls the host due now. Returns whether there is such a job.
-- Security definer (no context yet): a webhook has no organization in context.
create or replace function poll_exercise_video(p_host_reference text) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  return run_jobs_now(array(select coalesce(organization_id::text, 'platform') || ' finish_exercise_video ' || video_object_key
    from exercises where video_host_reference = p_host_reference and video_object_key is not null));
end
$$;
alter function poll_exercise_video(text) owner to tendon_definer;
grant execute on function poll_exercise_video(text) to tendon_app;

-- Unfinished uploads count against the plan with their declared length. Objects that an upload names no longer are deleted by
-- the worker. Security definer: callers cannot write usage, and expired uploads of all organizations are deleted.
create or replace function exercise_video_uploads_settle() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_before integer := 0;
  v_after integer := 0;
  v_released text[] := '{}';
begin
  if tg_op <> 'INSERT' then
    v_before := case when old.finished_at is null then ceil(old.length / 1048576.0)::integer else 0 end;
    v_released := old.object_keys;
  end if;
  if tg_op <> 'DELETE' then
    v_after := case when new.finished_at is null then ceil(new.length / 1048576.0)::integer else 0 end;
    select coalesce(array_agg(key), '{}') into v_released from unnest(v_released) key where key <> all (new.object_keys);
  end if;
  if v_after <> v_before and coalesce(new.organization_id, old.organization_id) is not null then
    perform change_usage(coalesce(new.organization_id, old.organization_id), 'max_unfinished_upload_mb', v_after - v_before);
  end if;
  if v_released <> '{}' then
    insert into unclaimed_objects (object_key, organization_id, delete_after)
      select key, old.organization_id, now() from unnest(v_released) key
      on conflict (object_key) do update set delete_after = excluded.delete_after;
    perform add_job('delete_unclaimed_objects', '{}', null, null, null);
  end if;
  return null;
end
$$;
alter function exercise_video_uploads_settle() owner to tendon_definer;

-- For the worker. Security definer (all organizations): over all organizations.
create or replace function delete_expired_video_uploads(p_now timestamptz) returns void
language sql security definer set search_path = public as $$
  delete from exercise_video_uploads where expires_at <= p_now
$$;
alter function delete_expired_video_uploads(timestamptz) owner to tendon_definer;
grant execute on function delete_expired_video_uploads(timestamptz) to tendon_worker;
