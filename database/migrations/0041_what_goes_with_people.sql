-- What goes with people: their account, the invitation that nobody took up, the right to look through a patient's eyes.

-- For whatever a human writes about themself: takes turns with their own erasure. False when that was first: there is no such
-- account any more. The lock is that of provision_human and erase_account, and the first that a request takes.
create function lock_my_account() returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || issuer || ' ' || subject, 0)) from (
    select issuer, subject from identities where human_id = current_app_principal_id() order by issuer, subject) i;
  return exists (select 1 from identities where human_id = current_app_principal_id());
end
$$;
alter function lock_my_account() owner to tendon_definer;
grant execute on function lock_my_account() to tendon_app;
