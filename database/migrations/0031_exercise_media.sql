-- Files of exercises: videos and the pictures of instructions. A copy of an exercise shows the files of its original; a
-- file goes when nothing shows it any more.

create trigger exercise_instructions_release_image after delete or update of image_object_key on exercise_instructions
  for each row execute function release_object('image_object_key');

-- A video is more than one object: its host deletes it. The lock: of two copies that let go of it at the same moment, the
-- second sees that it was the last.
create function exercises_release_video() returns trigger language plpgsql security definer set search_path = public as $$
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
create trigger exercises_release_video after update of video_object_key on exercises
  for each row execute function exercises_release_video();

-- For the worker, over all organizations.
create function exercise_video_shown(p_reference text) returns boolean
language sql stable security definer set search_path = public as $$
  select exists (select 1 from exercises where video_object_key = p_reference)
$$;

-- Once a video is converted, whoever shows it plays what came of it. Whether anybody does.
create function settle_exercise_video(p_reference text, p_url text, p_thumbnail_url text) returns boolean
language sql security definer set search_path = public as $$
  with shown as (
    update exercises set video_url = p_url, video_thumbnail_url = p_thumbnail_url where video_object_key = p_reference
    returning id, organization_id),
  told as (
    insert into outbox_events (organization_id, type, payload)
    select organization_id, 'exercise.video_ready', jsonb_build_object('exercise_id', id) from shown)
  select exists (select 1 from shown)
$$;
alter function exercise_video_shown(text) owner to tendon_definer;
alter function settle_exercise_video(text, text, text) owner to tendon_definer;
grant execute on function exercise_video_shown(text), settle_exercise_video(text, text, text) to tendon_worker;
