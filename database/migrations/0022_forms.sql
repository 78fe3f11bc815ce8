-- Forms about patients. A form holds its own copy of what it asks; once signed, neither the row nor its files change.

create table forms (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  form_template_id uuid not null,
  template_version integer not null,
  patient_profile_id uuid not null,
  appointment_id uuid,
  amends_form_id uuid,                       -- the signed form that this one corrects
  title text collate "ro-x-icu" not null,
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'signed')),
  fields jsonb not null,
  translations jsonb not null default '{}',
  values jsonb not null default '{}',
  consent_purposes jsonb not null default '[]',  -- [{purpose_code, purpose_version}]: what signing agrees to
  completed_at timestamptz,
  signed_at timestamptz,
  signed_by_principal_id uuid,
  seal bytea,                                -- SHA-256 of what was signed
  created_by_principal_id uuid default current_app_principal_id(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint forms_organization_id_key unique (organization_id, id),
  constraint forms_patient_key unique (organization_id, id, patient_profile_id),
  constraint forms_template_fkey foreign key (organization_id, form_template_id, template_version)
    references form_template_versions (organization_id, form_template_id, version),
  constraint forms_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint forms_amends_fkey foreign key (organization_id, amends_form_id) references forms (organization_id, id),
  constraint forms_signed_complete_check check (
    (status = 'signed') = (signed_at is not null and signed_by_principal_id is not null and seal is not null)
    and (status in ('completed', 'signed')) = (completed_at is not null))
);
create index forms_created_idx on forms (organization_id, created_at desc, id desc);
create index forms_patient_idx on forms (organization_id, patient_profile_id, created_at desc);
create index forms_profile_id_idx on forms (patient_profile_id);
create index forms_template_idx on forms (organization_id, form_template_id, patient_profile_id, updated_at desc);
create trigger forms_updated_at before update on forms for each row execute function set_updated_at();
create trigger forms_refuse_restricted before insert or update on forms for each row execute function refuse_restricted();

create table form_files (
  id uuid primary key default uuidv7(),
  organization_id uuid not null default current_app_scope() references organizations (id),
  form_id uuid not null,
  field_key text not null,
  object_key text not null,
  name text not null,
  size bigint not null check (size >= 0),
  mime text not null,
  sha256 bytea not null,
  patient_profile_id uuid not null,
  uploaded_by_principal_id uuid default current_app_principal_id(),
  uploaded_at timestamptz not null default now(),
  constraint form_files_field_key unique (form_id, field_key),
  constraint form_files_form_fkey foreign key (organization_id, form_id, patient_profile_id)
    references forms (organization_id, id, patient_profile_id) on delete cascade,
  constraint form_files_patient_fkey foreign key (organization_id, patient_profile_id)
    references patients (organization_id, patient_profile_id),
  constraint form_files_object_key_key unique (object_key)
);
create index form_files_patient_idx on form_files (organization_id, patient_profile_id);
create trigger form_files_refuse_restricted before insert or update on form_files
  for each row execute function refuse_restricted();

-- What is signed stays, whoever asks: the row, and its files. Signing takes the row's lock, and so does a change of files.
create function forms_refuse_signed() returns trigger language plpgsql as $$
begin
  raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
end
$$;
create trigger forms_refuse_signed before update or delete on forms
  for each row when (old.signed_at is not null) execute function forms_refuse_signed();
create function form_files_refuse_signed() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_form uuid := case when tg_op = 'DELETE' then old.form_id else new.form_id end;
begin
  perform 1 from forms where id = v_form and signed_at is null for no key update;
  if not found and exists (select 1 from forms where id = v_form) then
    raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
alter function form_files_refuse_signed() owner to tendon_definer;
create trigger form_files_refuse_signed before insert or update or delete on form_files
  for each row execute function form_files_refuse_signed();

alter table forms enable row level security;
alter table forms force row level security;
-- A patient reaches the forms about themself, at whatever clinic is in context.
create policy forms_select on forms for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy forms_insert on forms for insert with check (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'create')));
create policy forms_update on forms for update
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('forms', 'fill_org'))
      or ((select current_app_has_permission('forms', 'fill_own'))
        and created_by_principal_id = (select current_app_principal_id()))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()) and status <> 'signed');
create policy forms_delete on forms for delete using (
  organization_id = (select current_app_org_id()) and (select current_app_has_permission('forms', 'delete')));
grant select, delete on forms to tendon_app;
grant insert (organization_id, form_template_id, template_version, patient_profile_id, appointment_id, amends_form_id, title, type,
  fields, translations, values, consent_purposes) on forms to tendon_app;
grant update (status, values, completed_at, updated_at) on forms to tendon_app;

-- Locks a form for whoever may change it in one way or another: a plain lock would ask for the right to fill it in. The
-- patient comes first, as in an erasure, so that the two take turns; nor is the patient deleted or restricted meanwhile.
create function lock_form(p_id uuid) returns boolean language plpgsql security definer set search_path = public as $$
begin
  perform 1 from forms f join patients p on p.organization_id = f.organization_id and p.patient_profile_id = f.patient_profile_id
    where f.organization_id = current_app_org_id() and f.id = p_id
      and (current_app_has_permission('forms', 'view_org') or f.patient_profile_id = any (current_app_profile_ids()))
    for share of p;
  if not found then
    return false;
  end if;
  perform 1 from forms where organization_id = current_app_org_id() and id = p_id for no key update;
  return found;
end
$$;
alter function lock_form(uuid) owner to tendon_definer;
grant execute on function lock_form(uuid) to tendon_app;

-- Null when it is not completed, or signed already.
create function sign_form(p_id uuid, p_signed_at timestamptz, p_seal bytea) returns timestamptz
language sql security definer set search_path = public as $$
  update forms set status = 'signed', signed_at = p_signed_at, signed_by_principal_id = current_app_principal_id(), seal = p_seal
  where organization_id = current_app_org_id() and id = p_id and status = 'completed'
    and current_app_has_permission('forms', 'sign')
  returning signed_at
$$;
alter function sign_form(uuid, timestamptz, bytea) owner to tendon_definer;
grant execute on function sign_form(uuid, timestamptz, bytea) to tendon_app;

-- A signed consent form writes what it stands for into the ledger. Whoever may sign may do that; what it replaces ends.
alter table consents add constraint consents_source_form_fkey foreign key (organization_id, source_form_id)
  references forms (organization_id, id);
create function consents_fit_form() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from forms where organization_id = new.organization_id and id = new.source_form_id
      and patient_profile_id = new.patient_profile_id and type = 'consent' and signed_at is not null)
  then
    raise exception 'no such form' using errcode = 'check_violation', constraint = 'consents_source_form_check';
  end if;
  update consents set withdrawn_at = clock_timestamp(), ended_as = 'superseded'
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id
      and purpose_code = new.purpose_code and withdrawn_at is null;
  return new;
end
$$;
alter function consents_fit_form() owner to tendon_definer;
create trigger consents_fit_form before insert on consents
  for each row when (new.source = 'form' or new.source_form_id is not null) execute function consents_fit_form();
alter policy consents_select on consents using (
  (organization_id = (select current_app_org_id())
    and (select current_app_holds_any('{consents.view_org,consents.manage,patients.onboard,forms.sign}')))
  or patient_profile_id = any ((select current_app_profile_ids())::uuid[]));
alter policy consents_insert on consents with check (
  (organization_id = (select current_app_org_id())
    and ((source in ('staff_action', 'form') and (select current_app_holds_any('{consents.manage,patients.onboard}')))
      or (source = 'form' and (select current_app_has_permission('forms', 'sign')))))
  or (patient_profile_id = any ((select current_app_profile_ids())::uuid[]) and source in ('signup_checkbox', 'self_toggle', 'form')));

alter table form_files enable row level security;
alter table form_files force row level security;
create policy form_files_select on form_files for select using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'view_org'))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy form_files_insert on form_files for insert with check (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'fill_org'))
    or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
create policy form_files_update on form_files for update
  using (organization_id = (select current_app_org_id())
    and ((select current_app_has_permission('forms', 'fill_org'))
      or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
      or patient_profile_id = any ((select current_app_profile_ids())::uuid[])))
  with check (organization_id = (select current_app_org_id()));
create policy form_files_delete on form_files for delete using (
  organization_id = (select current_app_org_id())
  and ((select current_app_has_permission('forms', 'fill_org'))
    or ((select current_app_has_permission('forms', 'fill_own')) and exists (
      select 1 from forms f where f.id = form_id and f.created_by_principal_id = (select current_app_principal_id())))
    or patient_profile_id = any ((select current_app_profile_ids())::uuid[])));
grant select, delete on form_files to tendon_app;
grant insert (organization_id, form_id, field_key, object_key, name, size, mime, sha256, patient_profile_id) on form_files to tendon_app;
grant update (object_key, name, size, mime, sha256, uploaded_by_principal_id, uploaded_at) on form_files to tendon_app;
