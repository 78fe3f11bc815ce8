-- Patients' conditions, programs and treatment plans.
select ship_permission('treatment_plans.view_org', 'See the clinic''s programs and its patients'' treatment plans', '{admin,specialist,customer_support}');
select ship_permission('treatment_plans.manage', 'Record patients'' conditions; write programs and treatment plans', '{admin,specialist}');
