-- A form names an appointment of its clinic. An erased appointment takes itself out of forms that are not signed.
alter table forms add constraint forms_appointment_fkey foreign key (organization_id, appointment_id)
  references appointments (organization_id, id) on delete set null (appointment_id) not valid;
-- Not of appointment_id: an erasure is possible while processing is restricted.
drop trigger forms_refuse_restricted on forms;
create trigger forms_refuse_restricted before insert or update of status, values, completed_at, signed_at on forms
  for each row execute function refuse_restricted();

-- The link of a specialist's video meetings, for appointments without one of their own.
alter table specialists add column meeting_url text,
  add constraint specialists_meeting_url_check check (meeting_url ~ '^https://' and length(meeting_url) <= 2048) not valid;
grant insert (meeting_url), update (meeting_url) on specialists to tendon_app;

-- Values of the clinic's custom fields of appointments, by the id of the field.
alter table appointments add column custom_fields jsonb not null default '{}',
  add constraint appointments_custom_fields_check check (jsonb_typeof(custom_fields) = 'object') not valid;
grant update (custom_fields) on appointments to tendon_app;
