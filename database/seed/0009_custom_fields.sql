-- Custom fields.
select ship_permission('custom_fields.view', 'See which fields the clinic keeps on its records', '{admin,specialist,customer_support}');
select ship_permission('custom_fields.manage', 'Add, change, publish and delete fields', '{admin}');
-- Clinics that were there before a field of the platform get it too.
select add_system_fields(id) from organizations;
