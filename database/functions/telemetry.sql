-- "Media aggregates 2 years; pose aggregates 7 years; replay blobs 6 months." Media events of ended runs are deleted after a
-- week. Returns the largest number of rows deleted from one table: if it equals the limit, there may be more.
-- Security definer (all organizations): retention covers every organization.
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

-- Consents to exercising at home and to the camera that ended during a run, and when they were given again. Security definer (all organizations):
-- the telemetry service cannot read consents.
create or replace function run_withdrawals(p_run_id uuid)
returns table (run_id uuid, purpose_code text, withdrawn_at timestamptz, granted_again_at timestamptz)
language sql stable security definer set search_path = public as $$
  select m.run_id, c.purpose_code, c.withdrawn_at,
    (select min(g.granted_at) from consents g where g.patient_profile_id = c.patient_profile_id
      and g.organization_id = c.organization_id and g.purpose_code = c.purpose_code and g.granted_at >= c.withdrawn_at)
  from run_manifests m
  join consents c on c.organization_id = m.organization_id and c.patient_profile_id = m.patient_profile_id
  where m.run_id = p_run_id and m.organization_id = current_app_org_id()
    and c.purpose_code in ('telerehab', 'biometric_capture') and c.ended_as <> 'superseded' and c.withdrawn_at > m.created_at
$$;
alter function run_withdrawals(uuid) owner to tendon_definer;
grant execute on function run_withdrawals(uuid) to tendon_telemetry;

-- The same for every run with a withdrawal since then. Security definer (all organizations): the service asks for all organizations at once.
create or replace function list_run_withdrawals(p_since timestamptz)
returns table (run_id uuid, purpose_code text, withdrawn_at timestamptz, granted_again_at timestamptz)
language sql stable security definer set search_path = public as $$
  with runs as (
    select distinct m.run_id, m.organization_id, m.patient_profile_id, m.created_at
    from consents w
    join run_manifests m on m.organization_id = w.organization_id and m.patient_profile_id = w.patient_profile_id
    where w.withdrawn_at > p_since and w.purpose_code in ('telerehab', 'biometric_capture') and w.ended_as <> 'superseded'
      and w.withdrawn_at > m.created_at and m.created_at > p_since - interval '1 day')
  select r.run_id, c.purpose_code, c.withdrawn_at,
    (select min(g.granted_at) from consents g where g.patient_profile_id = c.patient_profile_id
      and g.organization_id = c.organization_id and g.purpose_code = c.purpose_code and g.granted_at >= c.withdrawn_at)
  from runs r
  join consents c on c.organization_id = r.organization_id and c.patient_profile_id = r.patient_profile_id
  where c.purpose_code in ('telerehab', 'biometric_capture') and c.ended_as <> 'superseded' and c.withdrawn_at > r.created_at
$$;
alter function list_run_withdrawals(timestamptz) owner to tendon_definer;
grant execute on function list_run_withdrawals(timestamptz) to tendon_telemetry;
