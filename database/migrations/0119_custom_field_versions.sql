-- Written as columns, not as rows: PostgreSQL prints a comparison of rows differently after a dump was restored, and the
-- servers would not start.
create or replace trigger custom_fields_record_next_version after update on custom_fields
  for each row when (old.version <> new.version or old.label is distinct from new.label
    or old.options is distinct from new.options or old.description is distinct from new.description
    or old.is_private is distinct from new.is_private or old.sort_order is distinct from new.sort_order)
  execute function custom_fields_record_version();
