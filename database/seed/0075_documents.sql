-- Documents and their templates. Patients see their own documents without any code.
select ship_permission('pdf_templates.manage', 'Write, publish, archive and delete templates of documents', '{admin}');
select ship_permission('documents.create', 'Create documents from forms, appointments and treatment plans', '{admin,specialist,customer_support}');
select ship_permission('documents.view_org', 'See and download the documents of the clinic''s patients', '{admin,specialist,customer_support}');
