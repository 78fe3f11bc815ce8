-- A run may reach two telemetry services, or one whose clock is set back. What began before the run's end belongs to it even
-- if the end was written first: it becomes the next version, and begins with what is there.

alter table run_finalisations
  add ended_at timestamptz,                   -- when the end came, by the clock of the service; null: not an end, or not known
  add based_on integer,                       -- the version that this one begins with, 0 for none
  add is_damaged boolean not null default false; -- something of the run up to here could not be read
grant update (version, based_on, is_damaged) on run_finalisations to tendon_telemetry;

create index run_finalisations_events_idx on run_finalisations (claimed_at) where events is not null;

-- As before; and the media events of runs that have ended go after a week.
create or replace function delete_expired_telemetry(p_now timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_part record;
  v_rows integer;
  v_most integer := 0;
begin
  for v_part in select * from (values
    ('media_session_metrics', interval '2 years'), ('media_item_metrics', interval '2 years'),
    ('media_buffering_events', interval '2 years'), ('library_views', interval '2 years'),
    ('pose_session_metrics', interval '7 years'), ('pose_repetitions', interval '7 years'),
    ('replay_blobs', interval '6 months')) as kept (name, time)
  loop
    execute format('delete from %I where id in (select id from %1$I where created_at < $1 limit $2 for update skip locked)', v_part.name)
      using p_now - v_part.time, p_limit;
    get diagnostics v_rows = row_count;
    v_most := greatest(v_most, v_rows);
  end loop;
  -- That a run was finalised is remembered.
  update run_finalisations set events = null
    where id in (select f.id from run_finalisations f
      where f.events is not null and f.claimed_at < p_now - interval '7 days'
        and (f.claimed_at < p_now - interval '2 years'
          or exists (select 1 from run_finalisations e where e.run_id = f.run_id and e.reason = 'ended'))
      limit p_limit for update skip locked);
  get diagnostics v_rows = row_count;
  return greatest(v_most, v_rows);
end
$$;
