-- The session behind a cookie, for its app only, and how long it lasts unless it is touched or ended. Seldom stale: seen_at is
-- written at most once a minute. Security definer (no context yet): the session decides who the caller is.
create or replace function find_web_session(p_hash bytea, p_app text)
  returns table (id uuid, issuer text, subject text, is_stale boolean, ends_in_ms double precision)
language plpgsql stable security definer set search_path = public rows 1 as $$
#variable_conflict use_column
begin
  return query select s.id, s.issuer, s.subject, s.seen_at < now() - interval '1 minute',
      extract(epoch from least(s.expires_at, s.seen_at + s.idle_limit) - now())::double precision * 1000
    from web_sessions s
    where s.id_hash = p_hash and s.app = p_app and s.expires_at > now() and s.seen_at + s.idle_limit > now();
end
$$;
alter function find_web_session(bytea, text) owner to tendon_definer;
grant execute on function find_web_session(bytea, text) to tendon_app;

-- Security definer (no context yet): no context is set yet.
create or replace function touch_web_session(p_id uuid) returns void
language sql security definer set search_path = public as $$
  update web_sessions set seen_at = now() where id = p_id and seen_at < now() - interval '1 minute'
$$;
alter function touch_web_session(uuid) owner to tendon_definer;
grant execute on function touch_web_session(uuid) to tendon_app;

-- Security definer (no context yet): nobody is signed in yet.
create or replace function create_web_session(
  p_hash bytea, p_app text, p_issuer text, p_subject text, p_provider_session text, p_ip inet, p_user_agent text,
  p_idle_limit interval, p_expires_at timestamptz
) returns uuid language sql security definer set search_path = public as $$
  insert into web_sessions (id_hash, app, issuer, subject, provider_session, ip, user_agent, idle_limit, expires_at)
  values (p_hash, p_app, p_issuer, p_subject, p_provider_session, p_ip, p_user_agent, p_idle_limit, p_expires_at)
  returning id
$$;
alter function create_web_session(bytea, text, text, text, text, inet, text, interval, timestamptz) owner to tendon_definer;
grant execute on function create_web_session(bytea, text, text, text, text, inet, text, interval, timestamptz) to tendon_app;

-- The owner of the cookie may end its session, even an expired one. Security definer (no context yet): the context may be that of another person.
create or replace function end_web_session(p_hash bytea, p_app text) returns void
language sql security definer set search_path = public as $$
  delete from web_sessions where id_hash = p_hash and app = p_app
$$;
alter function end_web_session(bytea, text) owner to tendon_definer;
grant execute on function end_web_session(bytea, text) to tendon_app;

-- The provider has ended a session of its own (p_provider_session), or all of a person's.
-- Security definer (no context yet): the provider is no principal.
create or replace function end_provider_sessions(p_issuer text, p_subject text, p_provider_session text) returns bigint
language sql security definer set search_path = public as $$
  with ended as (
    delete from web_sessions
    where issuer = p_issuer and (p_provider_session is null or provider_session = p_provider_session)
      and (p_subject is null or subject = p_subject) and coalesce(p_subject, p_provider_session) is not null
    returning 1)
  select count(*) from ended
$$;
alter function end_provider_sessions(text, text, text) owner to tendon_definer;
grant execute on function end_provider_sessions(text, text, text) to tendon_app;

-- Security definer (one person across clinics): the table has no policies. The caller's own sessions only.
create or replace function my_web_sessions() returns table (
  id uuid, app text, ip text, user_agent text, created_at timestamptz, seen_at timestamptz, expires_at timestamptz
) language sql stable security definer set search_path = public rows 10 as $$
  select s.id, s.app, host(s.ip), s.user_agent, s.created_at, s.seen_at, least(s.expires_at, s.seen_at + s.idle_limit)
  from web_sessions s join identities i on i.issuer = s.issuer and i.subject = s.subject
  where i.human_id = current_app_principal_id() and s.expires_at > now() and s.seen_at + s.idle_limit > now()
  order by s.seen_at desc, s.id
$$;
alter function my_web_sessions() owner to tendon_definer;
grant execute on function my_web_sessions() to tendon_app;

-- One of the caller's sessions, or all (p_id null). Security definer (one person across clinics): the table has no policies.
create or replace function end_my_web_sessions(p_id uuid) returns bigint
language sql security definer set search_path = public as $$
  with ended as (
    delete from web_sessions s using identities i
    where i.issuer = s.issuer and i.subject = s.subject and i.human_id = current_app_principal_id()
      and (p_id is null or s.id = p_id)
    returning 1)
  select count(*) from ended
$$;
alter function end_my_web_sessions(uuid) owner to tendon_definer;
grant execute on function end_my_web_sessions(uuid) to tendon_app;
