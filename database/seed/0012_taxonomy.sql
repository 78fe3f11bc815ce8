select ship_permission('catalog.tags:write_private', 'Add and change the clinic''s own exercise categories, equipment and conditions', '{admin}');
-- Of the platform: no template of a clinic holds it.
select ship_permission('catalog.tags:write', 'Change the exercise taxonomy of the platform (superadmins)', '{}');
