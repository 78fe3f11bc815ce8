-- The service catalogue.
select ship_permission('services.view_org', 'See the clinic''s services, plans and products', '{admin,specialist,customer_support}');
select ship_permission('services.manage', 'Add, change and remove services, plans and products', '{admin}');
-- Calendars.
select ship_permission('calendars.view_org', 'See the working hours and free times of the clinic', '{admin,specialist,customer_support}');
select ship_permission('calendars.manage', 'Change working hours, overrides and closures', '{admin}');
-- Appointments.
select ship_permission('appointments.view_org', 'See the clinic''s appointments', '{admin,specialist,customer_support}');
select ship_permission('appointments.manage', 'Book, change and cancel appointments', '{admin,specialist,customer_support}');
select ship_permission('appointments.delete', 'Mark appointments as entered in error', '{admin}');
