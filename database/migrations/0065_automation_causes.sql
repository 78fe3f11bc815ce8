-- Which automation rules caused an event, the oldest first: a rule does not react to what it caused.
alter table outbox_events add column automation_rule_ids uuid[] not null default current_app_automation_rule_ids();

-- Field of the event → the values that start the rule.
alter table automation_rules add column trigger_filter jsonb;
grant update (trigger_filter) on automation_rules to tendon_app;

alter table automation_executions add column cause_rule_ids uuid[] not null default '{}';

-- An execution that a guard stops is queued with its reason, and skipped when its turn comes.
alter table automation_executions drop constraint automation_executions_skipped_check;
alter table automation_executions add constraint automation_executions_skipped_check
  check ((status <> 'skipped' or skip_reason is not null) and (skip_reason is null or status in ('queued', 'skipped', 'canceled', 'timed_out')))
  not valid;
alter table automation_executions drop constraint automation_executions_skip_reason_check;
alter table automation_executions add constraint automation_executions_skip_reason_check
  check (skip_reason in ('conditions', 'loop', 'quota', 'patient_restricted', 'appointment_cancelled')) not valid;
