-- Who acts: a principal is a human or a service account. A human's id is their principal id. It is random and holds no
-- time: a clinic that invites an address would read from it whether, and since when, the platform knows that person.

create table principals (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('human', 'service')),
  organization_id uuid references organizations (id),
  created_at timestamptz not null default now(),
  constraint principals_id_kind_key unique (id, kind),
  constraint principals_organization_id_key unique nulls not distinct (organization_id, id, kind),
  constraint principals_organization_check check ((kind = 'service') = (organization_id is not null))
);

create table humans (
  id uuid primary key,
  kind text not null default 'human' check (kind = 'human'),
  email citext,
  email_verified boolean not null default false,
  name text,
  preferred_language text,
  current_organization_id uuid references organizations (id),
  linked_at timestamptz,  -- null: invited by e-mail, not yet signed in
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint humans_principal_fkey foreign key (id, kind) references principals (id, kind)
);

-- An address belongs to one human once it is proven, or while an invitation to it waits.
-- An unproven sign-in may carry anybody's address and neither takes nor blocks it.
create unique index humans_email_key on humans (email) where email_verified or linked_at is null;

create trigger humans_updated_at before update on humans for each row execute function set_updated_at();

-- The accounts at the identity provider by which a human signs in.
create table identities (
  issuer text not null,
  subject text not null,
  human_id uuid not null references humans (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_human_id_idx on identities (human_id);

create table platform_memberships (
  principal_id uuid primary key constraint platform_memberships_human_fkey references humans (id),
  role text not null default 'superadmin' check (role = 'superadmin'),
  granted_by_principal_id uuid references humans (id),  -- null: by the command line
  granted_at timestamptz not null default now()
);

-- Somebody who first signed in with an unproven address and has now proven it takes over what waits for that address.
create function absorb_invitation(p_email citext, p_human uuid) returns void
language plpgsql security definer set search_path = public as $$
declare
  v_invited uuid;
begin
  update humans set email = null, linked_at = now() where email = p_email and linked_at is null and id <> p_human
    returning id into v_invited;
  if v_invited is null then
    return;
  end if;
  update organization_memberships m set principal_id = p_human
    where m.principal_id = v_invited
      and not exists (select 1 from organization_memberships o
        where o.principal_id = p_human and o.organization_id = m.organization_id);
  -- Where both are members one role stays: theirs, unless only the invitation's manages members, so that no
  -- organization loses its last manager here.
  update organization_memberships o set role_id = m.role_id
    from organization_memberships m
    where m.principal_id = v_invited and o.principal_id = p_human and o.organization_id = m.organization_id
      and exists (select 1 from role_permissions r
        where r.role_id = m.role_id and r.permission_code = 'organizations.manage_members')
      and not exists (select 1 from role_permissions r
        where r.role_id = o.role_id and r.permission_code = 'organizations.manage_members');
  delete from organization_memberships where principal_id = v_invited;
  update platform_memberships p set principal_id = p_human
    where p.principal_id = v_invited and not exists (select 1 from platform_memberships s where s.principal_id = p_human);
  delete from platform_memberships where principal_id = v_invited;
end
$$;
alter function absorb_invitation(citext, uuid) owner to tendon_definer;

-- A proven address takes over the patient profiles that clinics have invited to it.
create function claim_profiles(p_email citext, p_human uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  update patient_profiles set human_id = p_human, claimed_at = now() where human_id is null and invited_email = p_email;
end
$$;
alter function claim_profiles(citext, uuid) owner to tendon_definer;

-- First sign-in: finds, links or creates the human. Also brings a changed address up to date.
-- Fifty parallel first requests give one human: the locks make them take turns.
create function provision_human(p_issuer text, p_subject text, p_email citext, p_verified boolean, p_name text)
returns uuid language plpgsql security definer set search_path = public as $$
declare
  v_id uuid;
  v_verified boolean := coalesce(p_verified, false) and p_email is not null;
begin
  perform pg_advisory_xact_lock(hashtextextended('identity:' || p_issuer || ' ' || p_subject, 0));
  if v_verified then
    perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  end if;

  -- The address may already be proven by another human: then this one keeps it as unproven, so that nobody inherits access.
  -- So does a superadmin whose address an organization invited, or a member whose address was made superadmin: superadmins
  -- are members nowhere, and what waits for the address goes on waiting.
  if v_verified and (
    exists (select 1 from humans h where h.email = p_email and h.email_verified and h.linked_at is not null
      and not exists (select 1 from identities i where i.issuer = p_issuer and i.subject = p_subject and i.human_id = h.id))
    or exists (select 1 from identities i
      join humans h on h.email = p_email and h.linked_at is null
      join platform_memberships s on s.principal_id in (i.human_id, h.id)
      join organization_memberships m on m.principal_id in (i.human_id, h.id)
      where i.issuer = p_issuer and i.subject = p_subject))
  then
    v_verified := false;
  end if;

  select human_id into v_id from identities where issuer = p_issuer and subject = p_subject;
  if v_id is not null then
    if v_verified then
      perform absorb_invitation(p_email, v_id);
    end if;
    update humans set email = p_email, email_verified = v_verified
      where id = v_id and (email is distinct from p_email or email_verified is distinct from v_verified);
    if v_verified then
      perform claim_profiles(p_email, v_id);
    end if;
    return v_id;
  end if;

  if v_verified then
    update humans set email_verified = true, linked_at = now(), name = coalesce(p_name, name)
      where email = p_email and linked_at is null returning id into v_id;
  end if;
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email, email_verified, name, linked_at) values (v_id, p_email, v_verified, p_name, now());
  end if;
  insert into identities (issuer, subject, human_id) values (p_issuer, p_subject, v_id);
  if v_verified then
    perform claim_profiles(p_email, v_id);
  end if;
  return v_id;
end
$$;
alter function provision_human(text, text, citext, boolean, text) owner to tendon_definer;
grant execute on function provision_human(text, text, citext, boolean, text) to tendon_app;

-- The human to whom mail at an address goes: the one who proved it, or a new one who waits to sign in.
create function human_for_email(p_email citext) returns uuid
language plpgsql security definer set search_path = public as $$
declare
  v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('email:' || lower(p_email::text), 0));
  select id into v_id from humans where email = p_email and (email_verified or linked_at is null);
  if v_id is null then
    insert into principals (kind) values ('human') returning id into v_id;
    insert into humans (id, email) values (v_id, p_email);
  end if;
  return v_id;
end
$$;
alter function human_for_email(citext) owner to tendon_definer;
grant execute on function human_for_email(citext) to tendon_app, tendon_platform;
