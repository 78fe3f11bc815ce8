-- Objects in the store that no row names: not yet, while an upload is under way, or no more. The worker deletes them once
-- their time has come. An upload takes its own off this list in the transaction of the row that names it.

create table unclaimed_objects (
  object_key text primary key,
  organization_id uuid default current_app_scope() references organizations (id),
  delete_after timestamptz not null
);
create index unclaimed_objects_due_idx on unclaimed_objects (delete_after);

alter table unclaimed_objects enable row level security;
alter table unclaimed_objects force row level security;
create policy unclaimed_objects_select on unclaimed_objects for select using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_insert on unclaimed_objects for insert with check (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_update on unclaimed_objects for update
  using (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null)
  with check (organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
create policy unclaimed_objects_delete on unclaimed_objects for delete using (
  organization_id is not distinct from (select current_app_scope()) and (select current_app_org_id()) is not null);
grant select, delete on unclaimed_objects to tendon_app;
grant insert (object_key, organization_id, delete_after) on unclaimed_objects to tendon_app;
grant update (delete_after) on unclaimed_objects to tendon_app;

-- For the worker, of all organizations. A row that is being claimed is locked, and skipped.
create function take_unclaimed_objects(p_limit integer) returns setof text language sql security definer set search_path = public as $$
  select object_key from unclaimed_objects where delete_after <= now() order by delete_after limit p_limit for update skip locked
$$;
create function forget_unclaimed_objects(p_keys text[]) returns void language sql security definer set search_path = public as $$
  delete from unclaimed_objects where object_key = any (p_keys) and delete_after <= now()
$$;
alter function take_unclaimed_objects(integer) owner to tendon_definer;
alter function forget_unclaimed_objects(text[]) owner to tendon_definer;
grant execute on function take_unclaimed_objects(integer), forget_unclaimed_objects(text[]) to tendon_worker;

-- A row that goes, or names another object, leaves its object to the worker, by whatever road: a handler, a cascade, an
-- erasure. The argument is the column with the key. An object that another row of the table names stays.
create function release_object() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_key text := to_jsonb(old) ->> tg_argv[0];
  v_named boolean;
begin
  if v_key is null or (tg_op = 'UPDATE' and v_key is not distinct from to_jsonb(new) ->> tg_argv[0]) then
    return null;
  end if;
  -- Of two rows that let go of it at the same moment, the second sees that it was the last.
  perform pg_advisory_xact_lock(hashtextextended('object ' || v_key, 0));
  execute format('select exists (select 1 from %I where %I = $1)', tg_table_name, tg_argv[0]) into v_named using v_key;
  if v_named then
    return null;
  end if;
  insert into unclaimed_objects (object_key, organization_id, delete_after)
    values (v_key, (to_jsonb(old) ->> 'organization_id')::uuid, now())
    on conflict (object_key) do update set delete_after = excluded.delete_after;
  perform add_job('delete_unclaimed_objects', '{}', null, null, null);
  return null;
end
$$;
alter function release_object() owner to tendon_definer;
grant execute on function add_job(text, jsonb, text, timestamptz, integer) to tendon_definer;

-- Every column that names an object stands here.
create trigger form_files_release_object after delete or update of object_key on form_files
  for each row execute function release_object('object_key');
