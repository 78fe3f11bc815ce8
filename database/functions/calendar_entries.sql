-- Raises the number of the calendar entry: calendars replace an entry only by one with a higher number (RFC 5546 2.1.4). A move
-- makes a new appointment with the next number, and the mail about a cancellation adds one: a visit that is no longer cancelled adds
-- two, and so does a waitlist entry that is booked, because the mail about an earlier booking of it may have said that it is cancelled.
create or replace function appointments_raise_sequence() returns trigger language plpgsql as $$
begin
  new.calendar_sequence := old.calendar_sequence + case when old.status in ('cancelled', 'waitlist') then 2 else 1 end;
  return new;
end
$$;
