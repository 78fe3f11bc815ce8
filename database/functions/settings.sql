-- A specialist's record names the images. Security definer: the caller may upload images without managing specialists.
create or replace function clinic_images_set_urls() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_image clinic_images := coalesce(new, old);
  v_isnew boolean := tg_op = 'INSERT';
begin
  if v_image.purpose = 'avatar' then
    update specialists set avatar_url = case when v_isnew then '/v1/public/images/' || v_image.id end
      where organization_id = v_image.organization_id and id = v_image.specialist_id;
  elsif v_image.purpose = 'signature' then
    update specialists set signature_url = case when v_isnew then '/v1/specialists/' || v_image.specialist_id || '/signature' end
      where organization_id = v_image.organization_id and id = v_image.specialist_id;
  end if;
  return null;
end
$$;
alter function clinic_images_set_urls() owner to tendon_definer;

-- A public image: a logo or an avatar. Security definer (no context yet): visitors have no organization in context.
create or replace function find_public_image(p_id uuid) returns table (object_key text, mime text)
language plpgsql stable security definer set search_path = public rows 1 as $$
#variable_conflict use_column
begin
  return query select i.object_key, i.mime from clinic_images i where i.id = p_id and i.purpose in ('logo', 'avatar');
end
$$;
alter function find_public_image(uuid) owner to tendon_definer;
grant execute on function find_public_image(uuid) to tendon_app;

-- The data of a clinic's sign-in page. Security definer (no context yet): see find_public_image.
create or replace function find_branding(p_slug text)
returns table (name text, slug text, language_code text, brand_color text, logo_id uuid, phone text, emergency_number text,
  date_format text, clock_format text, week_start text)
language plpgsql stable security definer set search_path = public rows 1 as $$
#variable_conflict use_column
begin
  return query select o.name, o.slug, o.language_code, s.brand_color, i.id, o.phone, coalesce(s.emergency_number, '112'),
      s.date_format, s.clock_format, s.week_start
    from organizations o
    left join organization_settings s on s.organization_id = o.id
    left join clinic_images i on i.organization_id = o.id and i.purpose = 'logo'
    where o.slug = p_slug;
end
$$;
alter function find_branding(text) owner to tendon_definer;
grant execute on function find_branding(text) to tendon_app;

-- Colour and logo of clinics, for mails. Security definer (all organizations): the worker sends the mails of all clinics.
create or replace function list_mail_branding(p_organizations uuid[])
returns table (organization_id uuid, brand_color text, logo_id uuid)
language sql stable security definer set search_path = public as $$
  select o.id, s.brand_color, i.id
  from organizations o
  left join organization_settings s on s.organization_id = o.id
  left join clinic_images i on i.organization_id = o.id and i.purpose = 'logo'
  where o.id = any (p_organizations) and num_nonnulls(s.brand_color, i.id) > 0
$$;
alter function list_mail_branding(uuid[]) owner to tendon_definer;
grant execute on function list_mail_branding(uuid[]) to tendon_worker;
