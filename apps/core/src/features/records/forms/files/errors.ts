import { refusal } from '@tendon/http'

export const fieldNotFound = refusal(
  400,
  'field_not_found',
  'This form has no field with this key. The keys are field_<custom_field_id> or field_<key>; GET /v1/forms/{id} lists the fields.',
)
export const fieldNotFileType = refusal(
  400,
  'field_not_file_type',
  'This field takes no file. Save its answer with PUT /v1/forms/{id}.',
)
export const fileTooLarge = refusal(
  400,
  'file_too_large',
  'The file is larger than the {max_file_size} bytes that this field takes. Send a smaller one.',
  { max_file_size: 10_485_760 },
)
export const invalidFileType = refusal(
  400,
  'invalid_file_type',
  'This field takes files of the types in "allowed_file_types", and the content must be of the type that is sent with it; text must be UTF-8.',
  { allowed_file_types: ['application/pdf'] },
)
export const fileNotFound = refusal(
  404,
  'file_not_found',
  'This field holds no file. Send one with POST /v1/forms/{id}/files/{fieldKey}.',
)
