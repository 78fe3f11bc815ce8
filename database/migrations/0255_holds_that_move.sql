-- A hold can name the visit that it moves, by the UID that all rows of a moved visit share.
alter table holds add column moves_calendar_uid uuid;
grant select (moves_calendar_uid) on holds to tendon_app;
