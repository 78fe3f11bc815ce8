-- "Media aggregates 2 years; pose aggregates 7 years; replay blobs 6 months." Media events of ended runs are deleted after a
-- week. Returns the largest number of rows deleted from one table: if it equals the limit, there may be more.
-- Security definer: retention covers every organization.
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
  -- The row stays: it records that the run was finalised.
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
alter function delete_expired_telemetry(timestamptz, integer) owner to tendon_definer;
grant execute on function delete_expired_telemetry(timestamptz, integer) to tendon_worker;
