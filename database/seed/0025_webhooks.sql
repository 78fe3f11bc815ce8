select ship_permission('webhooks.view_org', 'See the webhooks of the clinic and their deliveries', '{admin}');
select ship_permission('webhooks.manage', 'Create, change, test and delete webhooks of the clinic', '{admin}');
