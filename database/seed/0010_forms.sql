-- Form templates and forms. Patients fill the forms about themselves without any code.
select ship_permission('forms.view_org', 'See the forms of the clinic''s patients', '{admin,specialist,customer_support}');
select ship_permission('forms.create', 'Create forms for patients', '{admin,specialist,customer_support}');
select ship_permission('forms.fill_own', 'Fill in the forms that they created', '{admin,specialist,customer_support}');
select ship_permission('forms.fill_org', 'Fill in every form of the clinic', '{admin,specialist,customer_support}');
select ship_permission('forms.sign', 'Sign completed forms; the person signs, so no service account can', '{admin,specialist}');
select ship_permission('forms.delete', 'Delete forms that are not signed', '{admin}');
select ship_permission('form_templates.manage', 'Write, publish, archive and delete form templates', '{admin}');
