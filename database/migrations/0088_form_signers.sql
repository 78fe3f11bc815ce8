-- Who signs a form: staff, or the patient it is about. A form keeps what its template said when it was created.
alter table form_templates add column signed_by text not null default 'staff',
  add constraint form_templates_signed_by_check check (signed_by in ('staff', 'patient')) not valid;
alter table form_template_versions add column signed_by text not null default 'staff',
  add constraint form_template_versions_signed_by_check check (signed_by in ('staff', 'patient')) not valid;
alter table forms add column signed_by text not null default 'staff',
  add constraint forms_signed_by_check check (signed_by in ('staff', 'patient')) not valid;

grant insert (signed_by), update (signed_by) on form_templates to tendon_app;
grant insert (signed_by) on form_template_versions to tendon_app;
grant insert (signed_by) on forms to tendon_app;
