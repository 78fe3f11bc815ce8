-- The number of a specialist in the register of their profession, for letters and certificates.
alter table specialists add column registration_number text;
grant insert (registration_number), update (registration_number) on specialists to tendon_app;
