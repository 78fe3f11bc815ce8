-- The platform's exercise library. DEMONSTRATION CONTENT, written for this project: sensible, but no clinician has approved it.
-- Every exercise has the category "demonstration", so that it can be found and archived. Sources, doses and further
-- contraindications: 0017_exercise_review.sql.
-- The exercises are in the files that follow, one JSON document per region:
--
--   slug, kind, difficulty, seconds (one set)
--   en, ro             name, description, summary
--   tags               axis → slugs of 0012_taxonomy.sql; condition: what the exercise is for
--   instructions       type, English, Romanian; in their order
--   contraindications  condition, severity; what to do and why, in English, then in Romanian
--   prerequisites      exercise further up → why, in English and in Romanian
--   pose               joint, camera, side, down and up (degrees at rest and at work), target, range, tempo, hold: see pose_config
--
-- What an operator changed stays: an exercise that was ever there, under whatever slug, also a deleted one, is left alone.

insert into taxonomy_tags (axis, sort_order, slug, name, description, translations)
values ('category', 1000, 'demonstration', 'Demonstration content',
  'Shipped with the platform to show the library. A clinician reviews it before it is given to patients.',
  '{"ro": {"name": "Conținut demonstrativ",
    "description": "Livrat cu platforma pentru a prezenta biblioteca. Un clinician îl verifică înainte de a fi dat pacienților."}}')
on conflict on constraint taxonomy_tags_slug_key do nothing;

-- The functions last as long as the session that runs the seeds.

-- Where the camera stands, by view. What it must see comes from the exercise's landmarks.
create or replace function pg_temp.camera_place(p_view text) returns jsonb language sql as $$
  select jsonb_build_object('view', view, 'distance_m', distance_m, 'height', height,
    'text', jsonb_build_object('en', en, 'ro', ro))
  from (values
    ('side', 'side', 2.5, 'hip',
      'Put the camera to your side, 2.5 m away, at hip height. It must see you from head to foot.',
      'Așezați camera lateral, la 2,5 m, la înălțimea șoldului. Trebuie să vă vadă din cap până în picioare.'),
    ('front', 'front', 2.5, 'hip',
      'Put the camera in front of you, 2.5 m away, at hip height. It must see you from head to foot.',
      'Așezați camera în față, la 2,5 m, la înălțimea șoldului. Trebuie să vă vadă din cap până în picioare.'),
    ('floor', 'side', 2, 'floor',
      'Put the camera to your side, 2 m away, low above the floor. It must see your whole body.',
      'Așezați camera lateral, la 2 m, puțin deasupra podelei. Trebuie să vă vadă tot corpul.')
  ) as places (name, view, distance_m, height, en, ro)
  where name = p_view
$$;

-- In the shape of packages/pose/src/config.ts. Thresholds and targets are angles as the model sees them: a straight knee at 146
-- to 176 degrees, a full curl at 75 to 95. range: degrees and what to say below them; tempo: seconds of one repetition.
create or replace function pg_temp.pose_config(p_pose jsonb) returns jsonb language sql as $$
  select jsonb_build_object(
    'engine_code', 'blazepose-33',
    'landmarks', (
      select jsonb_agg(landmark) from unnest(angle) point, unnest(array[point, replace(point, 'left', 'right')]) landmark),
    'primary_angle', angle,
    'side', p_pose -> 'side',
    'thresholds', jsonb_build_object('up_degrees', p_pose -> 'up', 'down_degrees', p_pose -> 'down', 'hysteresis_degrees', 5),
    'hold_seconds', p_pose -> 'hold',
    'target_range_degrees', jsonb_build_object('min', p_pose #> '{target,0}', 'max', p_pose #> '{target,1}'),
    'min_visibility', 0.5,
    'feedback_rules', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'code', code, 'when', at, 'value', value, 'message', jsonb_build_object('en', en, 'ro', ro))), '[]')
      from (values
        ('more_range', 'range_below', p_pose #> '{range,0}', p_pose #>> '{range,1}', p_pose #>> '{range,2}'),
        ('slower', 'tempo_below', p_pose -> 'tempo', 'Slower, in both directions.', 'Mai încet, în ambele sensuri.'),
        ('hold_longer', 'hold_below', p_pose -> 'hold', 'Hold the position a little longer.', 'Mențineți poziția puțin mai mult.')
      ) as rules (code, at, value, en, ro)
      where value is not null),
    'camera', pg_temp.camera_place(p_pose ->> 'camera'))
  from (values
    ('knee', array['left_hip', 'left_knee', 'left_ankle']),
    ('hip', array['left_shoulder', 'left_hip', 'left_knee']),
    ('ankle', array['left_knee', 'left_ankle', 'left_foot_index']),
    ('shoulder', array['left_hip', 'left_shoulder', 'left_elbow']),
    ('elbow', array['left_shoulder', 'left_elbow', 'left_wrist'])
  ) as joints (name, angle)
  where name = p_pose ->> 'joint'
$$;

create or replace function pg_temp.load_exercises(p_exercises jsonb) returns void language plpgsql as $$
declare
  v_exercise jsonb;
  v_place integer;
  v_id uuid;
  -- Where the camera stands, for exercises that it can count.
  v_cameras constant jsonb := '{
    "side": ["If the camera counts along, place it beside you at hip height, so that it sees you from head to foot.",
      "Dacă numără camera, așezați-o lateral, la înălțimea șoldului, astfel încât să vă vadă din cap până în picioare."],
    "front": ["If the camera counts along, place it in front of you at hip height, so that it sees you from head to foot.",
      "Dacă numără camera, așezați-o în față, la înălțimea șoldului, astfel încât să vă vadă din cap până în picioare."],
    "floor": ["If the camera counts along, place it beside you, low above the floor, so that it sees your whole body.",
      "Dacă numără camera, așezați-o lateral, puțin deasupra podelei, astfel încât să vă vadă tot corpul."]}';
begin
  for v_exercise, v_place in select value, ordinality from jsonb_array_elements(p_exercises) with ordinality loop
    -- The id comes from the slug: so it is known again when the slug was changed. The first of a file is listed first.
    insert into exercises (id, name, slug, description, instructions_summary, difficulty, estimated_duration_seconds, kind, status,
        translations, created_at)
      values (md5('exercise library ' || (v_exercise ->> 'slug'))::uuid, v_exercise #>> '{en,0}', v_exercise ->> 'slug',
        v_exercise #>> '{en,1}', v_exercise #>> '{en,2}', v_exercise ->> 'difficulty', (v_exercise ->> 'seconds')::integer,
        v_exercise ->> 'kind', 'published',
        jsonb_build_object('ro', jsonb_build_object('name', v_exercise #> '{ro,0}', 'description', v_exercise #> '{ro,1}',
          'instructions_summary', v_exercise #> '{ro,2}')),
        now() - v_place * interval '1 millisecond')
      on conflict do nothing
      returning id into v_id;
    if v_id is null then
      -- A configuration that nobody changed and that does not say where the camera stands is from before the review.
      insert into exercise_pose_configs (exercise_id, version, config)
        select exercise_id, 2, pg_temp.pose_config(v_exercise -> 'pose') from exercise_pose_configs
        where exercise_id = md5('exercise library ' || (v_exercise ->> 'slug'))::uuid and v_exercise ? 'pose'
        group by exercise_id having max(version) = 1 and not bool_or(config ? 'camera');
      continue;
    end if;

    insert into exercise_instructions (exercise_id, sort_order, instruction_type, content, translations)
      select v_id, row_number() over (order by place), type, en, jsonb_build_object('ro', jsonb_build_object('content', ro))
      from (
        select ordinality as place, value ->> 0, value ->> 1, value ->> 2
        from jsonb_array_elements(v_exercise -> 'instructions') with ordinality
        union all
        select 1.5, 'preparation', camera ->> 0, camera ->> 1
        from jsonb_extract_path(v_cameras, v_exercise #>> '{pose,camera}') camera where camera is not null
      ) as instructions (place, type, en, ro);
    -- A slug that does not exist is refused, by the null that it leaves.
    insert into exercise_tags (exercise_id, axis, tag_id)
      select v_id, named.axis, tags.id
      from jsonb_each(jsonb_insert(v_exercise -> 'tags', '{category,0}', '"demonstration"')) named (axis, slugs)
        cross join jsonb_array_elements_text(slugs) wanted (slug)
        left join taxonomy_tags tags on tags.organization_id is null and tags.axis = named.axis and tags.slug = wanted.slug;
    insert into exercise_contraindications (exercise_id, condition_id, severity, description, clinical_basis, translations)
      select v_id, tags.id, value ->> 1, value ->> 2, value ->> 3,
        jsonb_build_object('ro', jsonb_build_object('description', value -> 4, 'clinical_basis', value -> 5))
      from jsonb_array_elements(v_exercise -> 'contraindications')
        left join taxonomy_tags tags on tags.organization_id is null and tags.axis = 'condition' and tags.slug = value ->> 0;
    insert into exercise_prerequisites (exercise_id, prerequisite_exercise_id, clinical_basis, translations)
      select v_id, first.id, basis ->> 0, jsonb_build_object('ro', jsonb_build_object('clinical_basis', basis -> 1))
      from jsonb_each(v_exercise -> 'prerequisites') needed (slug, basis)
        join exercises first on first.organization_id is null and first.slug = needed.slug and first.deleted_at is null;
    insert into exercise_pose_configs (exercise_id, version, config)
      select v_id, 1, pg_temp.pose_config(v_exercise -> 'pose') where v_exercise ? 'pose';
  end loop;
end
$$;
