-- The exercise library.
select ship_permission('exercises.view_published', 'See the published exercises of the library', '{admin,specialist,customer_support}');
select ship_permission('exercises.manage_org', 'Create and change the clinic''s own exercises, and see those that are not published', '{admin,specialist}');
