-- A waitlist entry of a restricted patient gets no time; cancelling stays possible.
create trigger appointments_refuse_restricted_time before update of status on appointments
  for each row when (old.status = 'waitlist' and new.status in ('pending', 'confirmed') and new.patient_profile_id is not null)
  execute function refuse_restricted();
