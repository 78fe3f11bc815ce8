-- Runs outside a transaction.
drop index concurrently if exists exercises_video_host_idx;
create index concurrently exercises_video_host_idx on exercises (video_host_reference) where video_host_reference is not null;
