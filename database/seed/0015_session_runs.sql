-- Session runs and what is counted over them. Patients write and read their own without any code.
select ship_permission('session_runs.view_org', 'See the session runs of the clinic''s patients, with replay', '{admin,specialist}');
select ship_permission('stats.view_org', 'See the clinic''s numbers: runs, exercises, pain', '{admin,specialist,customer_support}');
