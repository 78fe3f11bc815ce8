-- A condition may be recorded, and a contraindication named, long after a plan was given: which exercises of these patients'
-- open plans they speak against. For whoever sees or manages plans.
create function contraindicated_plans(p_patient_profile_ids uuid[]) returns table (
  treatment_plan_id uuid, title text, status text, patient_condition_id uuid, exercise_id uuid, exercise_name text, severity text
) language sql stable security definer set search_path = public as $$
  with present as materialized (
    select p.id, p.patient_profile_id, current_condition(p.condition_id) as stands_for from patient_conditions p
    where p.organization_id = current_app_org_id() and p.patient_profile_id = any (p_patient_profile_ids)
      and (current_app_has_permission('treatment_plans', 'view_org') or current_app_has_permission('treatment_plans', 'manage'))),
  planned as materialized (
    select distinct t.id, t.title, t.status, t.created_at, t.patient_profile_id, x.exercise_id
    from treatment_plans t
    join plan_sessions s on s.organization_id = t.organization_id and s.treatment_plan_id = t.id and s.removed_at is null
    join session_exercises x on x.organization_id = s.organization_id and x.plan_session_id = s.id and x.removed_at is null
    where t.organization_id = current_app_org_id() and t.status in ('draft', 'active')
      and t.patient_profile_id in (select p.patient_profile_id from present p)),
  named as materialized (
    select c.exercise_id, c.condition_id, c.severity from exercise_contraindications c
    where c.exercise_id in (select n.exercise_id from planned n)
      and (c.organization_id is null or c.organization_id = current_app_org_id())),
  conditions as materialized (
    select d.condition_id, current_condition(d.condition_id) as stands_for
    from (select distinct n.condition_id from named n) d)
  select n.id, n.title, n.status, p.id, e.id, e.name, c.severity
  from planned n
  join present p on p.patient_profile_id = n.patient_profile_id
  join conditions d on d.stands_for = p.stands_for
  join named c on c.exercise_id = n.exercise_id and c.condition_id = d.condition_id
  join exercises e on e.id = n.exercise_id
  order by n.created_at, n.id, e.name, e.id, array_position(array['contraindicated', 'relative', 'precaution'], c.severity)
$$;
alter function contraindicated_plans(uuid[]) owner to tendon_definer;
grant execute on function contraindicated_plans(uuid[]) to tendon_app;
