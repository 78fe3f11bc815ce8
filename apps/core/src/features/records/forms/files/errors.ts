import { refusal } from '@tendon/http'

export const fieldNotFound = refusal(
  400,
  'field_not_found',
  'This form has no field with this key. The keys are field_<custom_field_id> or field_<key>; GET /v1/forms/{id} lists the fields.',
)
export const fieldNotFileType = refusal(
  400,
  'field_not_file_type',
  'This field does not accept files. Save its answer with PUT /v1/forms/{id}.',
)
export const fileTooLarge = refusal(
  400,
  'file_too_large',
  'The file is larger than {max_file_size} bytes, the limit of this field. Send a smaller file.',
  { max_file_size: 10_485_760 },
)
export const invalidFileType = refusal(
  400,
  'invalid_file_type',
  'This field accepts the file types in "allowed_file_types". The content must match its media type; text must be UTF-8.',
  { allowed_file_types: ['application/pdf'] },
)
export const fileNotFound = refusal(
  404,
  'file_not_found',
  'This field has no file. Upload one with POST /v1/forms/{id}/files/{fieldKey}.',
)
