-- Warning signs that a patient chose on the pain sheet, and the emergency number that the portal shows with them.
-- Small table: organization_settings (one row per clinic).
alter table pain_reports
  add column warning_signs text[] not null default '{}',
  add constraint pain_reports_warning_signs_check check (warning_signs <@ array['chest_pain', 'breathless',
    'faint_or_dizzy', 'sudden_weakness_or_numbness', 'bladder_or_bowel', 'calf_swelling', 'fall']) not valid;
grant insert (warning_signs) on pain_reports to tendon_app;

alter table organization_settings
  add column emergency_number text not null default '112',
  add constraint organization_settings_emergency_number_check check (emergency_number ~ '^[0-9]{2,15}$');
grant insert (emergency_number), update (emergency_number) on organization_settings to tendon_app;
