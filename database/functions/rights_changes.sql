-- Removes the cached result of find_caller on all servers (packages/access/src/caller-cache.ts): notify tells other
-- processes at COMMIT; the message on the connection that writes tells the process that waits for COMMIT
-- (packages/db/src/rights-changes.ts). The argument of the trigger is the column with the id of the person, role,
-- organization or session that the row concerns.
create or replace function notify_rights_change() returns trigger language plpgsql as $$
declare
  v_id text;
begin
  for v_id in
    select distinct c.id from (values (to_jsonb(old) ->> tg_argv[0]), (to_jsonb(new) ->> tg_argv[0])) c (id) where c.id is not null
  loop
    raise info 'rights changed' using detail = v_id;
    perform pg_notify('rights', v_id);
  end loop;
  return null;
end
$$;

-- The same for a patient record, which concerns the owner of its profile. An owner that is being written is not missed:
-- claim_profiles locks the records first.
-- Security definer: the clinic may not see whose profile it is.
create or replace function patients_notify_rights_change() returns trigger
language plpgsql security definer set search_path = public as $$
declare
  v_id text;
begin
  for v_id in
    select distinct f.human_id from patient_profiles f
    where f.id in (old.patient_profile_id, new.patient_profile_id) and f.human_id is not null
  loop
    raise info 'rights changed' using detail = v_id;
    perform pg_notify('rights', v_id);
  end loop;
  return null;
end
$$;
alter function patients_notify_rights_change() owner to tendon_definer;
