-- How a clinic writes dates and times, and on which day its weeks start.
-- Small table: organization_settings (one row per clinic).
alter table organization_settings
  add column date_format text not null default 'dmy',
  add column clock_format text not null default '24h',
  add column week_start text not null default 'monday',
  add constraint organization_settings_date_format_check check (date_format in ('dmy', 'mdy', 'ymd')),
  add constraint organization_settings_clock_format_check check (clock_format in ('24h', '12h')),
  add constraint organization_settings_week_start_check check (week_start in ('monday', 'saturday', 'sunday'));
grant insert (date_format, clock_format, week_start), update (date_format, clock_format, week_start)
  on organization_settings to tendon_app;
