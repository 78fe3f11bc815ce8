insert into plans (code, name, max_specialists) values ('free', 'Free', 2), ('pro', 'Pro', 20), ('dedicated', 'Dedicated', null)
  on conflict (code) do update set name = excluded.name, max_specialists = excluded.max_specialists;
