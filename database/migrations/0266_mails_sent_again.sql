-- A mail that somebody sends again is claimed by typed code, as the service of the clinic (mail_outbox_update).
grant update (status, attempts, locked_until) on mail_outbox to tendon_app;
