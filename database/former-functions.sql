-- Functions that only past migrations use. They exist while such a migration runs, and never afterwards.

create or replace function scheduling_settings_copy_changes() returns trigger language plpgsql as $$
  begin
    return new;
  end
$$;
