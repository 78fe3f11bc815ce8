-- The clinics with evaluations that have waited, or been under way, since before this time, and where none has begun since: the
-- worker that was to do them may have died, and with it the job that would have told the next one. Where one has begun, a
-- worker goes from one to the next, and no other need help.
create function list_waiting_evaluations(p_before timestamptz) returns table (organization_id uuid)
language sql stable security definer set search_path = public as $$
  select distinct e.organization_id from segment_evaluations e
  where e.status in ('queued', 'running') and coalesce(e.started_at, e.queued_at) < p_before
    and not exists (select 1 from segment_evaluations w
      where w.organization_id = e.organization_id and w.status = 'running' and w.started_at >= p_before)
$$;
alter function list_waiting_evaluations(timestamptz) owner to tendon_definer;
grant execute on function list_waiting_evaluations(timestamptz) to tendon_worker;
