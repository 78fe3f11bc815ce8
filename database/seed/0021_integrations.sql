-- The catalogue of outside services. A secret is a property of credentials_schema, never of config_schema.
insert into integration_services (slug, name, description, auth_type, provider, config_schema, credentials_schema, scopes, capabilities)
values
  ('smtp', 'Mail server (SMTP)', 'Sends the mails of your clinic through your own mail server.', 'api_key', null,
   '{"type": "object", "additionalProperties": false, "required": ["host", "port", "security", "from_address"], "properties": {
      "host": {"type": "string", "minLength": 1, "maxLength": 253, "description": "Name of the mail server."},
      "port": {"type": "integer", "minimum": 1, "maximum": 65535},
      "security": {"enum": ["tls", "starttls", "none"], "description": "none is for local use only."},
      "from_address": {"type": "string", "format": "email", "maxLength": 254}}}',
   '{"type": "object", "additionalProperties": false, "required": ["username", "password"], "properties": {
      "username": {"type": "string", "minLength": 1, "maxLength": 320, "writeOnly": true},
      "password": {"type": "string", "minLength": 1, "maxLength": 1000, "writeOnly": true}}}',
   '{}', '{email}'),
  ('inbound_webhook', 'Inbound webhook', 'Receives messages of your own systems at a secret URL.', 'webhook_in_only', null,
   '{"type": "object", "additionalProperties": false, "properties": {
      "verify_signature": {"type": "boolean", "default": true, "description": "Whether a message must be signed: with the headers of Standard Webhooks, or with X-Signature: sha256=<hex>."}}}',
   '{"type": "object", "additionalProperties": false, "properties": {}}',
   '{}', '{inbound}'),
  ('google_calendar', 'Google Calendar', 'Reads when a specialist is busy, so that nobody books over it. Reads no titles.', 'oauth2', 'google',
   '{"type": "object", "additionalProperties": false, "required": ["specialist_id"], "properties": {
      "specialist_id": {"type": "string", "format": "uuid"},
      "calendar_id": {"type": "string", "minLength": 1, "maxLength": 300, "default": "primary"}}}',
   '{"type": "object", "additionalProperties": false, "properties": {}}',
   '{openid,email,https://www.googleapis.com/auth/calendar.freebusy}', '{busy_times}')
on conflict (slug) do update set name = excluded.name, description = excluded.description, auth_type = excluded.auth_type,
  provider = excluded.provider, config_schema = excluded.config_schema, credentials_schema = excluded.credentials_schema,
  scopes = excluded.scopes, capabilities = excluded.capabilities;
