-- As before, but for two: a segment whose evaluation waits or is under way is not asked for again, and one whose evaluation was
-- given up since it took its worker with it each time (begun more than ten times) has to wait for the next day.
create or replace function list_outdated_segments(p_now timestamptz) returns table (organization_id uuid, segment_id uuid)
language sql stable security definer set search_path = public as $$
  select s.organization_id, s.id from segments s join organizations o on o.id = s.organization_id
  where s.follows_calendar
    and not exists (select 1 from segment_evaluations e where e.segment_id = s.id and e.status in ('queued', 'running'))
    and (p_now at time zone o.time_zone)::date is distinct from (
      select (e.started_at at time zone o.time_zone)::date from segment_evaluations e
      where e.segment_id = s.id and (e.status = 'completed' or e.status = 'failed' and e.attempts > 10)
      order by e.id desc limit 1)
$$;
