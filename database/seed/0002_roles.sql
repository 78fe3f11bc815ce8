insert into roles (code, name, description, is_system) values
  ('specialist', 'Specialist', 'Treats patients.', true),
  ('customer_support', 'Customer support', 'Helps patients with accounts and appointments.', true),
  ('admin', 'Admin', 'Runs the clinic: settings, members, roles.', true)
  on conflict (organization_id, code) do nothing;
