-- Runs outside a transaction.
-- Mails about one appointment, by the UID of its calendar file.
drop index concurrently if exists mail_outbox_uid_idx;
create index concurrently mail_outbox_uid_idx on mail_outbox (organization_id, (data ->> 'uid')) where data ? 'uid';
-- Mails that clear_old_mails has yet to clear; its condition is the same.
drop index concurrently if exists mail_outbox_uncleared_idx;
create index concurrently mail_outbox_uncleared_idx on mail_outbox (created_at) where data <> '{}' or to_address <> 'erased';
drop index concurrently if exists mail_outbox_created_idx;
