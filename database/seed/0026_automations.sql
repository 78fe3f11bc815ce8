select ship_permission('automations.view_org', 'See the automations of the clinic and what they did', '{admin}');
select ship_permission('automations.manage', 'Create, change, simulate and delete automations of the clinic', '{admin}');
