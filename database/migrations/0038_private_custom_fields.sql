-- A form that is there may ask what has become private since: whoever is shown it, or writes it, has to know. Of these custom
-- fields those that are private, or were when they were deleted; also for whoever may not see the fields themselves.
create function private_custom_fields(p_ids uuid[]) returns setof uuid language sql stable security definer set search_path = public as $$
  select id from custom_fields where organization_id = current_app_org_id() and id = any (p_ids) and is_private
$$;
alter function private_custom_fields(uuid[]) owner to tendon_definer;
grant execute on function private_custom_fields(uuid[]) to tendon_app;

drop function deleted_private_fields(uuid[]);
