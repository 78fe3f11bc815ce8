-- One mechanism for versions: the trigger. Nobody writes them by hand.
create trigger programs_bump_version before update on programs for each row execute function bump_version();
create trigger treatment_plans_bump_version before update on treatment_plans for each row execute function bump_version();
create trigger segments_bump_version before update of name, description, match_mode, rules on segments
  for each row execute function bump_version();
revoke update (version) on programs, treatment_plans, segments from tendon_app;
