-- Patients, consent and privacy.
select ship_permission('patients.view_org', 'See the clinic''s patients', '{admin,specialist,customer_support}');
select ship_permission('patients.onboard', 'Add patients', '{admin,specialist,customer_support}');
select ship_permission('patients.update', 'Change the records of patients', '{admin,specialist,customer_support}');
select ship_permission('patients.delete', 'Delete patients', '{admin}');
select ship_permission('patients.merge', 'Link two records of the same person, and undo it', '{admin}');
select ship_permission('patients.impersonate', 'See what a patient sees, read-only and for a short time', '{admin}');
select ship_permission('consents.view_org', 'See what patients agreed to', '{admin,specialist,customer_support}');
select ship_permission('consents.manage', 'Record and withdraw consents for patients', '{admin,customer_support}');
select ship_permission('organizations.manage_privacy_notice', 'Write and publish the privacy notice and consent texts', '{admin}');
select ship_permission('gdpr.export_data', 'Export all data about a patient', '{admin}');
select ship_permission('gdpr.erase_data', 'Erase a patient', '{admin}');
select ship_permission('gdpr.restrict_processing', 'Restrict the processing of a patient''s data', '{admin}');
