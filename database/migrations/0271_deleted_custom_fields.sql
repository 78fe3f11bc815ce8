-- Custom fields are deleted by typed code, as the service of the clinic.
grant update (deleted_at) on custom_fields to tendon_app;
create trigger custom_fields_refuse_unless_service before update of deleted_at on custom_fields
  for each row execute function refuse_unless_service();
