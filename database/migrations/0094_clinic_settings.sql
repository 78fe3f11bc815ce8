-- The settings of a clinic are one row: reminders and calendar feeds join the brand colour.
-- Small table: organization_settings (one row per clinic).
-- Small table: scheduling_settings (one row per clinic).
alter table organization_settings
  add column reminder_offsets_minutes integer[] not null default '{1440,120}',
  add column feed_shows_details boolean not null default false,
  add constraint organization_settings_offsets_check check (cardinality(reminder_offsets_minutes) <= 5
    and 10 <= all (reminder_offsets_minutes) and 43200 >= all (reminder_offsets_minutes));

-- The owner is bound by policies too, and no organization is in context here.
alter table scheduling_settings no force row level security;
alter table organization_settings no force row level security;
insert into organization_settings (organization_id, reminder_offsets_minutes, feed_shows_details)
  select organization_id, reminder_offsets_minutes, feed_shows_details from scheduling_settings where true
  on conflict (organization_id) do update set reminder_offsets_minutes = excluded.reminder_offsets_minutes,
    feed_shows_details = excluded.feed_shows_details;
alter table organization_settings force row level security;
alter table scheduling_settings force row level security;

-- Servers of the previous release use scheduling_settings during an upgrade. The trigger copies their changes; they do not see
-- changes that newer servers make in organization_settings. The next release drops the table, ensure_scheduling_settings and
-- scheduling_settings_copy_changes.
create trigger scheduling_settings_copy_changes after update on scheduling_settings
  for each row execute function scheduling_settings_copy_changes();

grant insert (reminder_offsets_minutes, feed_shows_details), update (reminder_offsets_minutes, feed_shows_details)
  on organization_settings to tendon_app;
