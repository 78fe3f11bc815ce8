-- Sessions of people who signed in to one of the web apps. The browser holds a random id in a cookie; here is its hash.
create table web_sessions (
  id uuid primary key default uuidv7(),
  id_hash bytea not null constraint web_sessions_id_hash_key unique,  -- SHA-256
  app text not null constraint web_sessions_app_check check (app in ('console', 'portal', 'platform')),
  issuer text not null,
  subject text not null,
  provider_session text,                    -- the claim `sid`, by which the provider ends the session
  ip inet,
  user_agent text,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  idle_limit interval not null,
  expires_at timestamptz not null,
  -- Erasing an account deletes its identities, and with them its sessions.
  constraint web_sessions_identity_fkey foreign key (issuer, subject) references identities (issuer, subject) on delete cascade
);
create index web_sessions_identity_idx on web_sessions (issuer, subject);
create index web_sessions_provider_session_idx on web_sessions (issuer, provider_session) where provider_session is not null;
create index web_sessions_expires_at_idx on web_sessions (expires_at);
alter table web_sessions enable row level security;
alter table web_sessions force row level security;
revoke all on web_sessions from tendon_platform;
