-- The job that reads connected calendars writes busy times through a function.
revoke select, insert, delete on busy_times from tendon_worker;
