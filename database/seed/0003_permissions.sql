-- The codes of the core. Every later feature ships its own in a file of its own.
select ship_permission('organizations.update', 'Change the organization''s name, language and contact data', '{admin}');
select ship_permission('organizations.manage_domains', 'Add, verify and remove custom domains', '{admin}');
select ship_permission('organizations.manage_members', 'Invite, change and remove members and service accounts; list roles', '{admin}');
select ship_permission('organizations.manage_roles', 'Create roles and change what they grant', '{admin}');
select ship_permission('organizations.view_directory', 'See who works at the clinic', '{admin,specialist,customer_support}');
select ship_permission('organizations.manage_integrations', 'Connect and remove outside services', '{admin}');
select ship_permission('data.view_deleted', 'See records that were deleted', '{admin}');
select ship_permission('audit_log.view_org', 'Read the audit log of the clinic', '{admin}');
select ship_permission('locations.manage', 'Add, change and remove locations', '{admin}');
