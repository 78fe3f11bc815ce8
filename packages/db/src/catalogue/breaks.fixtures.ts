const OWN = 'organization_id = (select current_app_org_id())'
const MINE = 'patient_profile_id = any ((select current_app_profile_ids())::uuid[])'
const newPolicy = (condition: string, command = 'select using') =>
  `drop policy organization_usage_select on organization_usage;
   create policy organization_usage_select on organization_usage for ${command} (${condition})`
const newFunction = (rest: string) => `create function f() returns int language sql ${rest} as 'select 1';
   revoke execute on function f() from public`

export interface Break {
  how: string
  ddl: string
  found: [rule: string, object: string, detail?: string][]
}

/** For every rule about the schema public at least one way to break it, and what must be found then: nothing less, nothing else. */
export const BREAKS: Break[] = [
  {
    how: 'a table without row-level security',
    ddl: 'alter table locations disable row level security',
    found: [['rls-forced', 'locations']],
  },
  {
    how: 'row-level security that does not bind the owner',
    ddl: 'alter table locations no force row level security',
    found: [['rls-forced', 'locations']],
  },
  {
    how: 'a table of a login',
    ddl: 'alter table locations owner to tendon_telemetry',
    found: [
      ['organization-fixed', 'tendon_telemetry on locations'],
      ['rows-only', 'tendon_telemetry on locations'],
      ['table-owner', 'locations'],
      ['update-by-column', 'tendon_telemetry on locations'],
    ],
  },
  {
    how: 'a view that reads as its owner',
    ddl: 'create view everyone as select * from humans; alter view everyone owner to tendon_owner',
    found: [['view-invoker', 'everyone']],
  },
  {
    how: 'a foreign key that reaches into other organizations',
    ddl: 'alter table locations add column role_id uuid constraint locations_role_fkey references roles (id)',
    found: [['tenant-foreign-key', 'locations_role_fkey']],
  },
  {
    how: 'a unique index under which the platform can repeat itself',
    ddl: 'create unique index roles_name_key on roles (organization_id, name)',
    found: [['nulls-not-distinct', 'roles_name_key']],
  },
  {
    how: 'a policy for all commands',
    ddl: `create policy wide on organization_usage for all using (${OWN})`,
    found: [['policy-per-command', 'wide']],
  },
  {
    how: 'a second permissive policy',
    ddl: `create policy second on organization_usage for select using (${OWN})`,
    found: [['policy-single', 'organization_usage for select']],
  },
  {
    how: 'a policy without the tenant',
    ddl: newPolicy('true'),
    found: [['policy-tenant', 'organization_usage_select']],
  },
  {
    how: 'a tenant that an OR makes optional',
    ddl: newPolicy(`${OWN} or current = 0`),
    found: [['policy-tenant', 'organization_usage_select']],
  },
  {
    how: 'a tenant inside one arm of an OR',
    ddl: newPolicy(`(${OWN} and current = 0) or current = 1`),
    found: [['policy-tenant', 'organization_usage_select']],
  },
  {
    how: 'a shared table that shows everything',
    ddl: 'alter policy exercises_select on exercises using (true)',
    found: [['policy-tenant', 'exercises_select']],
  },
  {
    how: 'a shared table in which rows of the platform can be written',
    ddl: `alter policy exercises_insert on exercises with check (${OWN} or organization_id is null)`,
    found: [['policy-tenant', 'exercises_insert']],
  },
  {
    how: 'an owned table that shows everything',
    ddl: 'alter policy patients_select on patients using (true)',
    found: [['policy-tenant', 'patients_select']],
  },
  {
    how: 'an owned table with a third way in',
    ddl: `alter policy patients_select on patients using (${OWN} or ${MINE} or first_name = 'x')`,
    found: [['policy-tenant', 'patients_select']],
  },
  {
    how: 'a table of the clinic that shows rows of other clinics to their patients',
    ddl: `alter policy forms_select on forms using (${OWN} or ${MINE})`,
    found: [['policy-tenant', 'forms_select']],
  },
  {
    how: 'the tenant of another column',
    ddl: `drop policy roles_select on roles;
      create policy roles_select on roles for select using (template_id = (select current_app_org_id()))`,
    found: [['policy-tenant', 'roles_select']],
  },
  {
    how: 'a tenant in using only',
    ddl: `drop policy locations_update on locations;
      create policy locations_update on locations for update using (${OWN}) with check (true)`,
    found: [['policy-tenant', 'locations_update']],
  },
  {
    how: 'a platform scope that also matches a missing context',
    ddl: `drop policy audit_keys_select on audit_keys;
      create policy audit_keys_select on audit_keys for select using (
        organization_id is not distinct from (select current_app_scope()))`,
    found: [['policy-tenant', 'audit_keys_select']],
  },
  {
    how: 'an update policy without with check',
    ddl: `drop policy locations_update on locations;
      create policy locations_update on locations for update using (${OWN})`,
    found: [['policy-update-both', 'locations_update']],
  },
  {
    how: 'a function that runs for every row',
    ddl: newPolicy(`${OWN} and current_app_has_permission('a', 'b')`),
    found: [['policy-function-wrapped', 'organization_usage_select: current_app_has_permission']],
  },
  {
    how: 'a tenant function that runs for every row',
    ddl: newPolicy('organization_id = current_app_org_id()'),
    found: [
      ['policy-function-wrapped', 'organization_usage_select: current_app_org_id'],
      ['policy-tenant', 'organization_usage_select'],
    ],
  },
  {
    how: 'an update of the organization (the worker is a member of the app)',
    ddl: 'grant update (organization_id) on locations to tendon_app',
    found: [
      ['organization-fixed', 'tendon_app on locations'],
      ['organization-fixed', 'tendon_worker on locations'],
    ],
  },
  {
    how: 'an update of the id of an organization',
    ddl: 'grant update (id) on organizations to tendon_telemetry',
    found: [['organization-fixed', 'tendon_telemetry on organizations']],
  },
  {
    how: 'an update of a whole table',
    ddl: 'grant update on plans to tendon_telemetry',
    found: [['update-by-column', 'tendon_telemetry on plans']],
  },
  {
    how: 'a truncate',
    ddl: 'grant truncate on locations to tendon_telemetry',
    found: [['rows-only', 'tendon_telemetry on locations']],
  },
  {
    how: 'references to a column',
    ddl: 'grant references (id) on locations to tendon_telemetry',
    found: [['rows-only', 'tendon_telemetry on locations']],
  },
  {
    how: 'a materialized view that logins can read',
    ddl: `create materialized view counted as select count(*) from humans; alter materialized view counted owner to tendon_definer;
      grant select on counted to tendon_telemetry`,
    found: [['no-policies-apply', 'tendon_telemetry on counted']],
  },
  {
    how: 'a partition that logins can read past its table',
    ddl: `create table parts (n int) partition by list (n); create table part partition of parts default;
      alter table parts owner to tendon_owner; alter table parts enable row level security; alter table parts force row level security;
      alter table part owner to tendon_owner; alter table part enable row level security; alter table part force row level security;
      grant select (n) on part to tendon_telemetry`,
    found: [['no-policies-apply', 'tendon_telemetry on part']],
  },
  {
    how: 'a table for everybody',
    ddl: 'grant select on plans to public',
    found: [['nothing-public', 'plans']],
  },
  {
    how: 'a column for everybody',
    ddl: 'grant select (email) on humans to public',
    found: [['nothing-public', 'humans']],
  },
  {
    how: 'an audit log that superadmins can rewrite',
    ddl: 'grant update (action) on audit_log to tendon_platform',
    found: [['audit-append-only', 'tendon_platform on audit_log']],
  },
  {
    how: 'audit seals that can be deleted',
    ddl: 'grant delete on audit_seals to tendon_telemetry',
    found: [['audit-append-only', 'tendon_telemetry on audit_seals']],
  },
  {
    how: 'a definer function of the administrator',
    ddl: newFunction('security definer set search_path = public'),
    found: [['definer-owner', 'f()']],
  },
  {
    how: 'a definer function whose names the caller can bend',
    ddl: `${newFunction('security definer')}; alter function f() owner to tendon_definer`,
    found: [['definer-search-path', 'f()']],
  },
  {
    how: 'a function for everybody',
    ddl: `${newFunction('')}; grant execute on function f() to public`,
    found: [['function-private', 'f()']],
  },
]
