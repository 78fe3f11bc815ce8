-- How much a clinic may have in unfinished uploads at once. Null: unlimited.
-- Small table: plans (one row per plan).
alter table plans
  add column max_unfinished_upload_mb integer check (max_unfinished_upload_mb > 0);

-- Small table: organization_usage (one row per clinic and limit).
alter table organization_usage
  drop constraint organization_usage_name_check,
  add constraint organization_usage_name_check check (name in ('max_specialists', 'max_unfinished_upload_mb'));
