-- The automation rules that caused the event, the oldest first: sent in a signed header, and returned by a relay.
alter table webhook_events add column automation_rule_ids uuid[] not null default current_app_automation_rule_ids();

-- A fingerprint of the id that the sender gave to the message, which may name a person: a second message with it is a duplicate.
alter table integration_messages add column webhook_id_index bytea;
