-- A count and a verdict are two things: the repetitions that happened, and how many of them reached the prescribed range. Runs
-- that were measured before this have no verdict.
alter table pose_session_metrics
  add column repetitions_to_target integer,
  add column not_visible_ms bigint,           -- the joint was not seen; what happened then is not counted
  add constraint pose_session_metrics_to_target_check check (repetitions_to_target between 0 and repetitions) not valid;
alter table pose_repetitions add column reached_target boolean;
