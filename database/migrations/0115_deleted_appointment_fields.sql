create trigger appointments_drop_deleted_fields before insert or update of custom_fields on appointments
  for each row when (new.custom_fields <> '{}') execute function appointments_drop_deleted_fields();
