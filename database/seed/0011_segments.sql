-- Segments.
select ship_permission('segments.view', 'See segments of patients and who is in them', '{admin,specialist}');
select ship_permission('segments.manage', 'Create, change, evaluate and delete segments of patients', '{admin,specialist}');
