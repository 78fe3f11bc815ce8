-- Versions of appointments are raised by the trigger too. Servers of the release before may still write them by hand: the
-- trigger decides.
create trigger appointments_bump_version before update on appointments for each row execute function bump_version();
