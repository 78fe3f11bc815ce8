-- Validates the constraints of 0062_merged_patients.sql, without blocking writers.
alter table patients validate constraint patients_merged_into_fkey;
alter table patients validate constraint patients_merged_into_check;

-- Versions of what people edit, as in 0015.
alter table webhook_subscriptions add column version integer default 1 not null;
create trigger webhook_subscriptions_bump_version
  before update of url, description, events, is_active, rate_limit_per_second, secret_encrypted on webhook_subscriptions
  for each row execute function bump_version();

alter table platform_service_providers add column version integer default 1 not null;
create trigger platform_service_providers_bump_version
  before update of credentials_encrypted, config, status on platform_service_providers
  for each row execute function bump_version();
