-- A booking that is confirmed, and a change of what a calendar entry shows, raise its number.
create trigger appointments_raise_sequence before update of status, starts_at, ends_at, service_id, location_id on appointments
  for each row when (
    (old.status = 'pending' and new.status = 'confirmed')
    or (old.starts_at is not null
      and (old.starts_at is distinct from new.starts_at or old.ends_at is distinct from new.ends_at
        or old.service_id is distinct from new.service_id or old.location_id is distinct from new.location_id)))
  execute function appointments_raise_sequence();
