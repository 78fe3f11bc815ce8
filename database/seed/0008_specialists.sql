-- Specialists and specialties.
select ship_permission('specialists.view_org', 'See the clinic''s specialists and specialties', '{admin,specialist,customer_support}');
select ship_permission('specialists.manage', 'Add, change and remove specialists and specialties', '{admin}');
