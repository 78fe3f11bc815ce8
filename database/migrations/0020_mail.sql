-- Mail is sent from its outbox: who takes which row, what became of it, and addresses that no longer get any.
-- Small table: mail_outbox (a few rows per clinic: nothing was sent from it before).

alter table mail_outbox
  add column kind text not null default 'account',
  add column patient_profile_id uuid,
  add column status text not null default 'queued',
  add column attempts integer not null default 0,
  add column next_attempt_at timestamptz not null default now(),
  add column locked_until timestamptz,
  add column provider text,
  add column provider_message_id text,
  add column last_error text,  -- a name such as `timeout`: answers of mail servers quote addresses
  add column dedupe_key text,
  add constraint mail_outbox_kind_check check (kind in ('care', 'account', 'marketing')),
  add constraint mail_outbox_status_check check (status in ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  add constraint mail_outbox_patient_profile_fkey foreign key (organization_id, patient_profile_id)
    references patient_profiles (organization_id, id) on delete set null (patient_profile_id);
update mail_outbox set status = 'sent' where sent_at is not null;

drop index mail_outbox_waiting_idx;
create index mail_outbox_due_idx on mail_outbox (next_attempt_at, id) where status in ('queued', 'sending');
create unique index mail_outbox_dedupe_key on mail_outbox (organization_id, dedupe_key) nulls not distinct
  where dedupe_key is not null;
create index mail_outbox_organization_idx on mail_outbox (organization_id, created_at desc, id desc);
create index mail_outbox_patient_profile_idx on mail_outbox (organization_id, patient_profile_id)
  where patient_profile_id is not null;
create index mail_outbox_provider_message_idx on mail_outbox (provider_message_id) where provider_message_id is not null;
create index mail_outbox_created_idx on mail_outbox (created_at) where data <> '{}';

create policy mail_outbox_select on mail_outbox for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('mails', 'view_org')));
grant select on mail_outbox to tendon_app;

-- An address that bounced or complained, as a keyed fingerprint. It belongs to the platform: the mailbox is the same for
-- every clinic.
create table mail_suppressions (
  address_index bytea primary key,
  reason text not null,
  created_at timestamptz not null default now(),
  constraint mail_suppressions_reason_check check (reason in ('bounce', 'complaint', 'manual'))
);
alter table mail_suppressions enable row level security;
alter table mail_suppressions force row level security;
