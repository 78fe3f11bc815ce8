-- When pain was felt by the client's clock; null in reports from before: created_at.
alter table pain_reports add column occurred_at timestamptz;
grant insert (occurred_at) on pain_reports to tendon_app;
