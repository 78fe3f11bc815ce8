-- What uses a custom field, form or PDF template, exercise, tag or program, and what deleting does to it: 'blocks' (deleting is
-- refused), 'deleted', 'unlinked' (only the reference ends), 'broken' (stops working until somebody changes it) or 'kept'.
-- Counts uses of the clinic in context; without one (superadmins) uses of all. Names the first five of each kind to callers
-- who may see them. Security definer (all organizations): uses that the caller may not see are counted too.
create or replace function find_usage(p_kind text, p_id uuid) returns table (kind text, consequence text, uses bigint, items jsonb)
language sql stable security definer set search_path = public as $$
  with allowed as (
    select case p_kind when 'custom_field' then 'custom_fields.manage' when 'form_template' then 'form_templates.manage'
      when 'exercise' then 'exercises.manage_org' when 'tag' then 'catalog.tags:write_private'
      when 'pdf_template' then 'pdf_templates.manage' when 'program' then 'treatment_plans.manage' end as code),
  found (kind, consequence, organization_id, id, name, viewers) as (
    select 'custom_field_values', 'deleted', v.organization_id, v.entity_id, null::text, '{}'::text[]
      from custom_field_values v where p_kind = 'custom_field' and v.custom_field_id = p_id
    union all
    select 'appointments', 'deleted', a.organization_id, a.id, null, '{}'
      from custom_fields c join appointments a on a.organization_id = c.organization_id and a.custom_fields ? p_id::text
      where p_kind = 'custom_field' and c.id = p_id and c.entity_type = 'appointment'
    union all
    select 'form_templates', 'kept', t.organization_id, t.id, t.title, '{form_templates.manage,forms.create,forms.view_org}'
      from form_templates t where p_kind = 'custom_field' and t.deleted_at is null and position(p_id::text in t.fields::text) > 0
    union all
    select 'forms', 'kept', f.organization_id, f.id, null, '{}'
      from forms f where p_kind = 'form_template' and f.form_template_id = p_id
    union all
    select 'services', 'broken', s.organization_id, s.id, s.name, '{services.view_org,services.manage}'
      from services s where p_kind = 'form_template' and s.intake_form_template_id = p_id and s.deleted_at is null
    union all
    select 'segments', 'broken', s.organization_id, s.id, s.name, '{segments.view,segments.manage}'
      from segments s where p_kind in ('custom_field', 'form_template') and position(p_id::text in s.rules::text) > 0
    union all
    select 'automation_rules', 'broken', r.organization_id, r.id, r.name, '{automations.view_org,automations.manage}'
      from automation_rules r where p_kind in ('custom_field', 'form_template')
        and (position(p_id::text in r.conditions::text) > 0 or position(p_id::text in r.actions::text) > 0)
    union all
    select distinct 'treatment_plans', case when p.status = 'active' then 'blocks' else 'broken' end, p.organization_id, p.id, p.title,
        '{treatment_plans.view_org,treatment_plans.manage}'::text[]
      from session_exercises e
      join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
      join treatment_plans p on p.id = s.treatment_plan_id and p.status in ('draft', 'active')
      join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id and w.deleted_at is null
      where p_kind = 'exercise' and e.exercise_id = p_id and e.removed_at is null
    union all
    select distinct 'programs', 'broken', g.organization_id, g.id, g.name, '{treatment_plans.view_org,treatment_plans.manage}'::text[]
      from session_exercises e
      join plan_sessions s on s.id = e.plan_session_id and s.removed_at is null
      join programs g on g.id = s.program_id and g.deleted_at is null
      where p_kind = 'exercise' and e.exercise_id = p_id and e.removed_at is null
    union all
    select 'treatment_plans', 'kept', p.organization_id, p.id, p.title, '{treatment_plans.view_org,treatment_plans.manage}'
      from treatment_plans p
      join patients w on w.organization_id = p.organization_id and w.patient_profile_id = p.patient_profile_id and w.deleted_at is null
      where p_kind = 'program' and p.program_id = p_id and p.status in ('draft', 'active')
    union all
    select 'documents', 'kept', d.organization_id, d.id, null, '{}'
      from appointment_documents d where p_kind = 'pdf_template' and d.pdf_template_id = p_id
    union all
    select 'exercises', 'unlinked', x.organization_id, x.id, x.name, '{exercises.view_published,exercises.manage_org}'
      from exercise_prerequisites r join exercises x on x.id = r.exercise_id and x.deleted_at is null
      where p_kind = 'exercise' and r.prerequisite_exercise_id = p_id
    union all
    select 'exercises', 'unlinked', x.organization_id, x.id, x.name, '{exercises.view_published,exercises.manage_org}'
      from exercise_tags t join exercises x on x.id = t.exercise_id and x.deleted_at is null
      where p_kind = 'tag' and t.tag_id = p_id
    union all
    select 'tags', 'unlinked', t.organization_id, t.id, t.name, '{exercises.view_published,exercises.manage_org}'
      from taxonomy_tags t where p_kind = 'tag' and (t.parent_id = p_id or t.body_region_id = p_id)),
  numbered as (
    select f.*, row_number() over (partition by f.kind, f.consequence order by f.name, f.id) as place
    from found f, allowed a
    where current_app_holds(a.code) and (f.organization_id = current_app_org_id() or current_app_scope() is null))
  select n.kind, n.consequence, count(*),
    coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) order by n.place)
      filter (where n.place <= 5 and n.name is not null and n.organization_id = current_app_org_id() and current_app_holds_any(n.viewers)), '[]')
  from numbered n
  group by n.kind, n.consequence
  order by n.consequence <> 'blocks', n.kind, n.consequence
$$;
alter function find_usage(text, uuid) owner to tendon_definer;
grant execute on function find_usage(text, uuid) to tendon_app, tendon_platform;
