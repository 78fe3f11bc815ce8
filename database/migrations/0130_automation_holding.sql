-- When the rule was last switched on: executions that were due before were held until then.
alter table automation_rules add column switched_on_at timestamptz;
grant update (switched_on_at) on automation_rules to tendon_app;

-- `late`: the appointment of the execution began before its action could run.
alter table automation_executions drop constraint automation_executions_skip_reason_check;
alter table automation_executions add constraint automation_executions_skip_reason_check
  check (skip_reason in ('conditions', 'loop', 'quota', 'patient_restricted', 'appointment_cancelled', 'late')) not valid;
