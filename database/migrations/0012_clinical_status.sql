-- Conditions of a patient have a status, a stage and clearances; "since" is their onset. cleared_at and
-- cleared_by_principal_id are written by a trigger, so that nobody can name another author.
alter table patient_conditions
  add column status text not null default 'active',
  add column stage text,
  add column cleared_for text[] not null default '{}',
  add column cleared_at timestamptz,
  add column cleared_by_principal_id uuid,
  add constraint patient_conditions_status_check
    check (status = any (array['active', 'resolved', 'history'])) not valid,
  add constraint patient_conditions_stage_check
    check (stage = any (array['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'])) not valid,
  add constraint patient_conditions_cleared_for_check
    check (cleared_for <@ array['movement', 'stretching', 'load', 'full_load']) not valid;
grant insert (status, stage, cleared_for), update (status, stage, cleared_for) on patient_conditions to tendon_app;
create trigger patient_conditions_set_clearance before insert or update on patient_conditions
  for each row execute function patient_conditions_set_clearance();

-- A contraindication holds always, in some stages, or until the patient is cleared.
alter table exercise_contraindications
  add column stages text[],
  add column until_cleared_for text,
  add column source text,
  add constraint exercise_contraindications_stages_check check (
    stages is null or (stages <@ array['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance']
      and cardinality(stages) > 0 and until_cleared_for is null)) not valid,
  add constraint exercise_contraindications_until_cleared_for_check
    check (until_cleared_for = any (array['movement', 'stretching', 'load', 'full_load'])) not valid;
grant insert (stages, until_cleared_for, source) on exercise_contraindications to tendon_app;

alter table exercises
  add column default_dose jsonb,
  add column progression text,
  add column regression text,
  add column source text;
grant insert (default_dose, progression, regression, source), update (default_dose, progression, regression, source)
  on exercises to tendon_app;

-- Conditions have parents, as categories do.
alter table taxonomy_tags
  drop constraint taxonomy_tags_columns_check,
  add constraint taxonomy_tags_columns_check check (
    (parent_id is null or axis in ('category', 'condition'))
    and (body_area is not null) = (axis = 'body_region')
    and (icon_url is null or axis = 'equipment')
    and (coalesce(icd10_code, body_region_id::text) is null or axis = 'condition')) not valid;
