-- What a render waits for: the video host, which is away or asked to be left alone, or room on the disk. Until when is run_at while
-- it is queued, and poll_at while the host transcodes.
alter table renders add column waiting_for text,
  add constraint renders_waiting_for_check check (waiting_for in ('host', 'disk')) not valid;
grant update (waiting_for) on renders to tendon_app;
