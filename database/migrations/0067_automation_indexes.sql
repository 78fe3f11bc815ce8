-- Runs outside a transaction.
-- Executions that can time out, and those that count against a clinic's quota.
drop index concurrently if exists automation_executions_unfinished_idx;
create index concurrently automation_executions_unfinished_idx on automation_executions (progressed_at)
  where status in ('queued', 'running', 'paused');
drop index concurrently if exists automation_executions_quota_idx;
create index concurrently automation_executions_quota_idx on automation_executions (organization_id, created_at)
  where skip_reason is null;
drop index concurrently if exists automation_executions_open_idx;
