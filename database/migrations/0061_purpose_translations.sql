-- Language code → {name, description}, for languages other than English, which the columns hold.
alter table consent_purposes add column translations jsonb default '{}'::jsonb not null;
