-- Settings and images of a clinic.
select ship_permission('organizations.update_settings', 'Change the clinic''s settings, logo and other images', '{admin}');
