import { DEFAULT_MAX_FORM_FILE_BYTES, type FormQuestion } from '@tendon/contracts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** What a field takes that names no types: documents and pictures. */
const USUAL_TYPES = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/tiff',
  'text/plain',
  'text/csv',
  'application/vnd.oasis.opendocument.text',
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.spreadsheetml.sheet`,
]

/** "size must not exceed the field's max_file_size (default 10 MB); MIME must be in allowed_file_types" */
export const limitsOf = ({ max_file_size, allowed_file_types }: FormQuestion) => ({
  maxBytes: max_file_size ?? DEFAULT_MAX_FORM_FILE_BYTES,
  types: allowed_file_types ?? USUAL_TYPES,
})
