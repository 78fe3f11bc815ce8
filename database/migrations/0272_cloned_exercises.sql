-- Exercises are cloned by typed code, as the service of the clinic. Nobody else says that an exercise is a copy, or who tagged
-- it and when.
grant insert (video_url, video_provider, video_thumbnail_url, video_duration_seconds, video_object_key, cloned_from_id)
  on exercises to tendon_app;
grant insert (image_url, image_object_key) on exercise_instructions to tendon_app;
grant insert (tagged_by_principal_id, tagged_at) on exercise_tags to tendon_app;
grant insert (tagged_by_principal_id, tagged_at) on exercise_contraindications to tendon_app;

create trigger exercises_refuse_clone_unless_service before insert on exercises
  for each row when (num_nonnulls(new.cloned_from_id, new.video_url, new.video_object_key) > 0)
  execute function refuse_unless_service();
create trigger exercise_instructions_refuse_clone_unless_service before insert on exercise_instructions
  for each row when (num_nonnulls(new.image_url, new.image_object_key) > 0)
  execute function refuse_unless_service();
create trigger exercise_tags_refuse_clone_unless_service before insert on exercise_tags
  for each row when (new.tagged_by_principal_id is distinct from current_app_principal_id() or new.tagged_at <> now())
  execute function refuse_unless_service();
create trigger exercise_contraindications_refuse_clone_unless_service before insert on exercise_contraindications
  for each row when (new.tagged_by_principal_id is distinct from current_app_principal_id() or new.tagged_at <> now())
  execute function refuse_unless_service();
