select ship_permission('mails.view_org', 'See which mails the clinic sent, and whether they arrived', '{admin}');
select ship_permission('mails.manage', 'Send mails of the clinic again', '{admin}');
