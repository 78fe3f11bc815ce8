-- A visit that the clinic keeps although it is on a day off. It counts for days off that were added before this time.
-- And the times of a series at which nothing was booked, on its first appointment.
alter table appointments
  add column kept_on_day_off_at timestamptz,
  add column skipped_starts_at timestamptz[] not null default '{}';
grant update (kept_on_day_off_at, skipped_starts_at) on appointments to tendon_app;
