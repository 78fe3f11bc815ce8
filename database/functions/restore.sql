-- Undoes a soft delete of the last 30 days. Returns no row when the caller has no such row; otherwise the outcome and when
-- the row was deleted. Fails with a unique violation when another row has taken a unique value.
-- Security definer: policies let nobody change deleted rows. The table comes from the list, never from the caller's text.
create or replace function restore_deleted(p_table text, p_id uuid) returns table (outcome text, deleted_at timestamptz)
language plpgsql security definer set search_path = public as $$
declare
  v_permission text := case p_table
    when 'locations' then 'locations.manage'
    when 'specialists' then 'specialists.manage'
    when 'custom_fields' then 'custom_fields.manage'
    when 'form_templates' then 'form_templates.manage'
    when 'pdf_templates' then 'pdf_templates.manage'
    when 'exercises' then 'exercises.manage_org'
    when 'programs' then 'treatment_plans.manage'
    when 'services' then 'services.manage'
    when 'service_plans' then 'services.manage'
    when 'products' then 'services.manage' end;
  v_found uuid;
  v_deleted_at timestamptz;
begin
  if v_permission is null or not current_app_has_permission('data', 'view_deleted')
    or not current_app_has_permission(split_part(v_permission, '.', 1), split_part(v_permission, '.', 2))
  then
    return;
  end if;
  -- Without an organization in context the caller is a superadmin, who manages the exercises of all.
  execute format('select t.id, t.deleted_at from %I t where t.id = $1 and %s for update', p_table,
      case when p_table = 'exercises' then '(t.organization_id = current_app_org_id() or current_app_scope() is null)'
        else 't.organization_id = current_app_org_id()' end)
    into v_found, v_deleted_at using p_id;
  if v_found is null then
    return;
  end if;
  if v_deleted_at is null then
    return query select 'not_deleted', v_deleted_at;
  elsif v_deleted_at < now() - interval '30 days' then
    return query select 'expired', v_deleted_at;
  else
    execute format('update %I set deleted_at = null where id = $1', p_table) using p_id;
    return query select 'restored', v_deleted_at;
  end if;
end
$$;
alter function restore_deleted(text, uuid) owner to tendon_definer;
grant execute on function restore_deleted(text, uuid) to tendon_app, tendon_platform;
