-- When a member was last invited, so that a second invitation does not follow the first at once. Without a default for the
-- rows there are: their invitations are older.
alter table organization_memberships add column invited_at timestamptz;
alter table organization_memberships alter column invited_at set default now();
grant update (invited_at) on organization_memberships to tendon_app;
