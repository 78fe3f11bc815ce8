-- The library's add_job adds nothing, and does not say so, when a worker takes the waiting job of the same key while it runs
-- (github.com/graphile/worker/issues/580). Asked again it sees that the job is taken, and adds a new one.
create or replace function add_job(p_name text, p_payload jsonb, p_key text, p_run_at timestamptz, p_max_attempts integer)
returns void language plpgsql security definer set search_path = public as $$
declare
  v_added bigint;
begin
  loop
    select id into v_added from graphile_worker.add_job(
      identifier => p_name,
      payload => json_build_object('organization_id', current_app_scope(), 'payload', p_payload),
      job_key => coalesce(current_app_scope()::text, 'platform') || ' ' || p_name || ' ' || p_key,
      run_at => p_run_at,
      max_attempts => p_max_attempts);
    exit when v_added is not null;
  end loop;
end
$$;
