-- Two ways to see through somebody else's eyes, both short and traced: a superadmin's break-glass into one clinic, and a
-- staff member's impersonation of one of the clinic's patients.

create table break_glass_grants (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references humans (id),
  organization_id uuid not null references organizations (id),
  patient_id uuid,                          -- null: the whole clinic
  reason text not null constraint break_glass_grants_reason_check check (length(trim(reason)) >= 20),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint break_glass_grants_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id),
  constraint break_glass_grants_length_check check (expires_at <= created_at + interval '60 minutes')
);
create index break_glass_grants_principal_idx on break_glass_grants (principal_id, organization_id, expires_at);
create index break_glass_grants_organization_idx on break_glass_grants (organization_id, created_at desc);
alter table break_glass_grants enable row level security;
alter table break_glass_grants force row level security;
-- The clinic sees who opened its records, and why.
create policy break_glass_grants_select on break_glass_grants for select using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('audit_log', 'view_org')));
grant select on break_glass_grants to tendon_app;
revoke update, delete on break_glass_grants from tendon_platform;
grant update (ended_at) on break_glass_grants to tendon_platform;

-- For the clinic, which cannot see operators among its own people: its grants with the name of who opened them.
create function clinic_break_glass_grants() returns table (
  id uuid, principal_id uuid, principal_name text, organization_id uuid, organization_name text, patient_id uuid, reason text,
  created_at timestamptz, expires_at timestamptz, ended_at timestamptz
) language sql stable security definer set search_path = public as $$
  select g.id, g.principal_id, coalesce(h.name, h.email::text), g.organization_id, o.name, g.patient_id, g.reason,
    g.created_at, g.expires_at, g.ended_at
  from break_glass_grants g join humans h on h.id = g.principal_id join organizations o on o.id = g.organization_id
  where g.organization_id = current_app_org_id() and current_app_has_permission('audit_log', 'view_org')
$$;
alter function clinic_break_glass_grants() owner to tendon_definer;
grant execute on function clinic_break_glass_grants() to tendon_app;

create table impersonations (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  patient_id uuid not null,
  principal_id uuid not null,               -- the staff member
  hash bytea not null,                      -- SHA-256 of the token; why it was asked for stands in the audit log
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint impersonations_hash_key unique (hash),
  constraint impersonations_patient_fkey foreign key (organization_id, patient_id) references patients (organization_id, id),
  constraint impersonations_length_check check (expires_at <= created_at + interval '15 minutes')
);
create index impersonations_patient_idx on impersonations (organization_id, patient_id);
alter table impersonations enable row level security;
alter table impersonations force row level security;
create policy impersonations_insert on impersonations for insert with check (
  organization_id = (select current_app_org_id()) and principal_id = (select current_app_principal_id())
  and (select current_app_has_permission('patients', 'impersonate')));
grant insert on impersonations to tendon_app;
revoke update, delete on impersonations from tendon_platform;

-- The patient as a member of staff sees them: that one profile at that clinic, no permissions (see find_caller). The
-- principal is the profile, never the human behind it, who may belong to places that are no business of this clinic. Gone
-- when the staff member loses the right.
create function find_impersonated_caller(p_hash bytea) returns caller
language plpgsql stable security definer set search_path = public as $$
declare
  v caller;
begin
  select f.id, 'human', p.first_name || ' ' || p.last_name, p.email::text, false, h.preferred_language, false,
      o.id, o.language_code, '', array[f.id], p.id, f.id, i.principal_id, s.name, r.name
    into v.principal_id, v.kind, v.name, v.email, v.email_verified, v.preferred_language, v.is_superadmin,
      v.organization_id, v.organization_language, v.permissions, v.profile_ids, v.patient_id, v.patient_profile_id,
      v.impersonator_id, v.impersonator_name, v.role_name
    from impersonations i
    join patients p on p.organization_id = i.organization_id and p.id = i.patient_id and p.deleted_at is null
    join patient_profiles f on f.id = p.patient_profile_id
    join organizations o on o.id = i.organization_id
    join organization_memberships m on m.organization_id = i.organization_id and m.principal_id = i.principal_id
    join roles r on r.id = m.role_id
    join role_permissions g on g.role_id = r.id and g.permission_code = 'patients.impersonate'
    left join humans h on h.id = f.human_id
    left join humans s on s.id = i.principal_id
    where i.hash = p_hash and i.expires_at > now();
  return v;
end
$$;
alter function find_impersonated_caller(bytea) owner to tendon_definer;
grant execute on function find_impersonated_caller(bytea) to tendon_app;
