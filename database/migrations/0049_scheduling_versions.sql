-- Versions of what people edit, as in 0015, for the tables of scheduling.

alter table services add column version integer default 1 not null;
create trigger services_bump_version before update on services for each row execute function bump_version();

alter table service_plans add column version integer default 1 not null;
create trigger service_plans_bump_version before update on service_plans for each row execute function bump_version();

alter table products add column version integer default 1 not null;
create trigger products_bump_version before update on products for each row execute function bump_version();

alter table calendars add column version integer default 1 not null;
create trigger calendars_bump_version before update on calendars for each row execute function bump_version();

alter table closures add column version integer default 1 not null;
create trigger closures_bump_version before update on closures for each row execute function bump_version();
