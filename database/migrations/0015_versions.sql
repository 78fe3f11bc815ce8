-- Versions of what people edit: one more with each update. custom_fields and form_templates have a version already, which
-- counts what was published; their count of edits is called revision.

alter table locations add column version integer default 1 not null;
create trigger locations_bump_version before update on locations for each row execute function bump_version();

alter table organizations add column version integer default 1 not null;
create trigger organizations_bump_version before update on organizations for each row execute function bump_version();

alter table patients add column version integer default 1 not null;
create trigger patients_bump_version before update on patients for each row execute function bump_version();

alter table specialists add column version integer default 1 not null;
create trigger specialists_bump_version before update on specialists for each row execute function bump_version();

alter table specialties add column version integer default 1 not null;
create trigger specialties_bump_version before update on specialties for each row execute function bump_version();

alter table roles add column version integer default 1 not null;
create trigger roles_bump_version before update on roles for each row execute function bump_version();

alter table service_accounts add column version integer default 1 not null;
create trigger service_accounts_bump_version before update on service_accounts for each row execute function bump_version();

alter table taxonomy_tags add column version integer default 1 not null;
create trigger taxonomy_tags_bump_version before update on taxonomy_tags for each row execute function bump_version();

alter table exercises add column version integer default 1 not null;
create trigger exercises_bump_version before update on exercises for each row execute function bump_version();

alter table exercise_instructions add column version integer default 1 not null;
create trigger exercise_instructions_bump_version before update on exercise_instructions for each row execute function bump_version();

alter table patient_conditions add column version integer default 1 not null;
create trigger patient_conditions_bump_version before update on patient_conditions for each row execute function bump_version();

alter table privacy_notices add column version integer default 1 not null;
create trigger privacy_notices_bump_version before update on privacy_notices for each row execute function bump_version();

alter table forms add column version integer default 1 not null;
create trigger forms_bump_version before update on forms for each row execute function bump_version();

alter table custom_fields add column revision integer default 1 not null;
create trigger custom_fields_bump_revision before update on custom_fields for each row execute function bump_revision();

alter table form_templates add column revision integer default 1 not null;
create trigger form_templates_bump_revision before update on form_templates for each row execute function bump_revision();
