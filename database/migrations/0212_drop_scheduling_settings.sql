-- organization_settings holds these values since 0094; only servers of releases before the last one wrote here.
drop table scheduling_settings;
