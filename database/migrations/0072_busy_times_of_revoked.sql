-- A calendar that is disconnected leaves no busy times behind.
create trigger organization_integrations_forget_busy_times after update of status on organization_integrations
  for each row when (new.status = 'revoked') execute function forget_busy_times();
