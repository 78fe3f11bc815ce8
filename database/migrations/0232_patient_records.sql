-- Linking, restricting and restoring records are typed code. These columns are written by the service of the clinic only:
-- a policy cannot tell which columns an update changes.
grant update (restricted_at, merged_into_id) on patients to tendon_app;
create trigger patients_refuse_unless_service
  before update of deleted_at, deleted_by_principal_id, restricted_at, merged_into_id, erased_at on patients
  for each row execute function refuse_unless_service();

-- The same for deletions: who may update a row deletes it only where the code of the route says so.
create trigger locations_refuse_unless_service before update of deleted_at on locations
  for each row execute function refuse_unless_service();
create trigger services_refuse_unless_service before update of deleted_at on services
  for each row execute function refuse_unless_service();
create trigger products_refuse_unless_service before update of deleted_at on products
  for each row execute function refuse_unless_service();
create trigger service_plans_refuse_unless_service before update of deleted_at on service_plans
  for each row execute function refuse_unless_service();
create trigger programs_refuse_unless_service before update of deleted_at on programs
  for each row execute function refuse_unless_service();
create trigger exercises_refuse_unless_service before update of deleted_at on exercises
  for each row execute function refuse_unless_service();
