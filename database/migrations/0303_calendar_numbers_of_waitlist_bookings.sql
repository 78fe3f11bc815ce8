-- A waitlist entry that is booked again needs a higher number than the mail that said that its earlier booking is cancelled.
drop trigger appointments_raise_sequence on appointments;
create trigger appointments_raise_sequence before update of status, starts_at, ends_at, service_id, location_id on appointments
  for each row when (old.status = 'pending' and new.status = 'confirmed' or old.status = 'confirmed' and new.status = 'pending'
    or old.status = 'cancelled' and new.status <> 'cancelled'
    or old.status = 'waitlist' and new.status in ('pending', 'confirmed')
    or old.starts_at is not null and (old.starts_at is distinct from new.starts_at
      or old.ends_at is distinct from new.ends_at or old.service_id is distinct from new.service_id
      or old.location_id is distinct from new.location_id))
  execute function appointments_raise_sequence();
