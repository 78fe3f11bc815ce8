-- The service catalogue.
select ship_permission('services.view_org', 'See the clinic''s services, plans and products', '{admin,specialist,customer_support}');
select ship_permission('services.manage', 'Add, change and remove services, plans and products', '{admin}');
