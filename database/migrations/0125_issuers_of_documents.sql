-- A clinic can be renamed; its documents were issued under the name that they print. Documents from before this migration have
-- none: what the clinic was called then is not known.
alter table appointment_documents add column issued_by text collate "ro-x-icu";
grant insert (issued_by) on appointment_documents to tendon_app;
