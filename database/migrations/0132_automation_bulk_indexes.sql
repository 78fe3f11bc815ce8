-- Runs outside a transaction.
-- For each rule: its open executions, and those that the quota skipped. And whether an execution was retried.
drop index concurrently if exists automation_executions_rule_open_idx;
create index concurrently automation_executions_rule_open_idx on automation_executions (organization_id, rule_id, created_at)
  where status in ('queued', 'running', 'paused');
drop index concurrently if exists automation_executions_rule_quota_idx;
create index concurrently automation_executions_rule_quota_idx on automation_executions (organization_id, rule_id, created_at)
  where skip_reason = 'quota';
drop index concurrently if exists automation_executions_retried_idx;
create index concurrently automation_executions_retried_idx on automation_executions (organization_id, retried_from_id)
  where retried_from_id is not null;
