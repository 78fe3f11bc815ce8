-- Videos at the host that are deleted; one render can leave several. Servers of the previous release write abandoned_reference,
-- which is still read; the next release drops it.
alter table renders add column abandoned_references text[] not null default '{}';
grant update (abandoned_references) on renders to tendon_app;
