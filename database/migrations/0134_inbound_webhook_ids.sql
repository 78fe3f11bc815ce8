-- Runs outside a transaction.
-- A message arrives once in an integration.
drop index concurrently if exists integration_messages_webhook_id_index_key;
create unique index concurrently integration_messages_webhook_id_index_key
  on integration_messages (organization_id, integration_id, webhook_id_index) where webhook_id_index is not null;
