// A form that is deleted takes its files along: the rows by the foreign key, their objects by the trigger on form_files.
export { deleteHiddenFiles } from './hidden.ts'
export { findChangedFiles } from './intact.ts'
export { listFiles, type StoredFormFile } from './queries.ts'
