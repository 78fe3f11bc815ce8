-- Verified domains are checked again. Set while the TXT record of a verified domain is missing.
alter table organization_domains add column record_missing_since timestamptz;
grant update (record_missing_since) on organization_domains to tendon_app;
