insert into plans (code, name, max_specialists, requests_per_minute, pose_per_second, media_per_second,
    max_unfinished_upload_mb) values
  ('free', 'Free', 2, 6000, 100, 50, 2000),
  ('pro', 'Pro', 20, 30000, 500, 200, 10000),
  ('dedicated', 'Dedicated', null, 120000, 2000, 800, null)
  on conflict (code) do update set name = excluded.name, max_specialists = excluded.max_specialists,
    requests_per_minute = excluded.requests_per_minute, pose_per_second = excluded.pose_per_second,
    media_per_second = excluded.media_per_second, max_unfinished_upload_mb = excluded.max_unfinished_upload_mb;
