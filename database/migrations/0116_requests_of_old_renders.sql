-- Renders that existed before 0100 were requested when they were created. With the default of 0100, the time of the upgrade, all
-- of them would count against the clinic's quota of that day.
-- As the role that is exempt from policies: no organization is in context, and the table is not locked meanwhile.
set local role tendon_definer;
update renders set requested_at = created_at where requests = 1 and requested_at > created_at;
set local role tendon_owner;
