-- The freed time that matches a waitlist entry: {specialist_id, starts_at, ends_at}. slot_freed_at says since when.
alter table appointments add column freed_slot jsonb;
grant update (specialist_id, starts_at, ends_at, time_zone, freed_slot) on appointments to tendon_app;
